import CaptureFiles
import Imaging
import TestSupport

extension TemporaryFolder {
  /// The camera that plays this folder.
  func device(_ options: String = "") throws -> FilesDevice {
    FilesDevice(try .parse(options.isEmpty ? path : "\(path),\(options)"))
  }
}

/// A JPEG of a single grey.
func jpeg(shade: UInt8, width: Int = 32, height: Int = 16) throws -> [UInt8] {
  let size = ImageSize(width: width, height: height)
  let layout = try ImageLayout(size: size, pixelFormat: .grey, range: .full)
  let pixels = [UInt8](repeating: shade, count: layout.byteCount)
  return try JPEGEncoder().encode(pixels, layout, quality: 80)
}
