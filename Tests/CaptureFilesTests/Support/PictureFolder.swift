import Capture
import CaptureFiles
import Foundation
import Imaging

/// A folder of files for one test, gone after it.
struct PictureFolder: ~Copyable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("camerabus-files-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  borrowing func add(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
  }

  /// The camera that plays it.
  borrowing func device(_ options: String = "") throws -> FilesDevice {
    FilesDevice(try .parse(options.isEmpty ? path : "\(path),\(options)"))
  }
}

/// A JPEG of one grey.
func jpeg(shade: UInt8, width: Int = 32, height: Int = 16) throws -> [UInt8] {
  let size = ImageSize(width: width, height: height)
  let layout = try ImageLayout(size: size, pixelFormat: .grey, range: .full)
  let pixels = [UInt8](repeating: shade, count: layout.byteCount)
  var output = [UInt8](repeating: 0, count: JPEGEncoder.maximumByteCount(for: size))
  var span = output.mutableSpan
  var memory = unsafe span.mutableBytes
  let count = try unsafe JPEGEncoder().encode(
    pixels.span.bytes, layout: layout, quality: 80, into: &memory)
  return Array(output[..<count])
}
