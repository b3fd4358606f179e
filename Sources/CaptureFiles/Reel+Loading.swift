import Capture
import Imaging
import OperatingSystem

extension Reel {
  /// The pictures are held in memory. More than this is treated as a mistake.
  static let memoryLimit = 1 << 30

  /// Reads the files in the order of their names and checks that each has the right format.
  ///
  /// - Throws: `unsuitableDevice` with the name of the file that does not fit, and the errors of
  ///   opening and reading.
  static func load(_ specification: FilesSpecification) throws(CaptureError) -> Reel {
    var files: [(path: String, bytes: [UInt8])] = []
    var byteCount = 0
    for path in try paths(specification) {
      let file = try OpenFile(path)
      guard file.isFile else { continue }
      byteCount += file.byteCount
      guard byteCount <= memoryLimit else {
        throw unsuitable(
          "the pictures in \(specification.path) take more than \(memoryLimit >> 20) MiB of memory: play fewer"
        )
      }
      files.append((path, try file.bytes()))
    }
    guard !files.isEmpty else { throw nothing(in: specification) }
    return try specification.isRaw
      ? raw(files, specification.request) : jpegs(files)
  }

  private static func paths(
    _ specification: FilesSpecification
  ) throws(CaptureError) -> [String] {
    let path = specification.path
    guard try OpenFile(path).isFolder else { return [path] }
    let names: [String]
    do {
      names = try Folder.names(in: path)
    } catch {
      throw CaptureError(.deviceFailed, "the folder \(path) cannot be listed: check its disk")
    }
    return names.filter { name in
      let lowered = name.lowercased()
      let isJPEG = lowered.hasSuffix(".jpg") || lowered.hasSuffix(".jpeg")
      return specification.isRaw || isJPEG
    }.map { "\(path)/\($0)" }
  }

  private static func jpegs(
    _ files: [(path: String, bytes: [UInt8])]
  ) throws(CaptureError) -> Reel {
    var first: (path: String, size: ImageSize)?
    for (path, bytes) in files {
      let size = try unsafe jpegSize(path, bytes.span.bytes)
      if let first, first.size != size {
        throw unsuitable(
          """
          the pictures differ in size: \(first.path) has \(first.size), \(path) has \(size); a camera has one size, so \
          put the others elsewhere
          """
        )
      }
      first = first ?? (path, size)
    }
    guard let first else { preconditionFailure("there are files") }
    return Reel(
      files.map(\.bytes), layout: .compressed(.mjpeg, size: first.size), frameByteCount: nil)
  }

  private static func jpegSize(
    _ path: String, _ bytes: RawSpan
  ) throws(CaptureError) -> ImageSize {
    switch JPEGIntegrity.check(bytes) {
    case .complete: break
    case .truncated: throw unsuitable("\(path) is cut short: copy it anew, or take it away")
    case .notJPEG: throw unsuitable("\(path) is no JPEG: convert it, or take it away")
    }
    do throws(ImagingError) {
      return try JPEGHeader(bytes).size
    } catch {
      throw unsuitable("\(path) cannot be played: \(error.message)")
    }
  }

  private static func raw(
    _ files: [(path: String, bytes: [UInt8])], _ request: FormatRequest
  ) throws(CaptureError) -> Reel {
    guard let format = request.pixelFormat, let size = request.size,
      let layout = try? ImageLayout(
        size: size, pixelFormat: format, range: format == .grey ? .full : .limited)
    else { preconditionFailure("a specification of raw frames names their layout") }
    for (path, bytes) in files
    where bytes.isEmpty || !bytes.count.isMultiple(of: layout.byteCount) {
      throw unsuitable(
        """
        \(path) has \(bytes.count) bytes: \(format) frames of \(size) take \(layout.byteCount) each, one or more of them \
        a file
        """
      )
    }
    return Reel(files.map(\.bytes), layout: layout, frameByteCount: layout.byteCount)
  }

  private static func nothing(in specification: FilesSpecification) -> CaptureError {
    specification.isRaw
      ? unsuitable("\(specification.path) holds no files: put raw frames there")
      : unsuitable(
        """
        \(specification.path) holds no .jpg files: put some there, or say what raw frames it holds, such as \
        files:\(specification.path),1920x1080@30,format=YUYV
        """
      )
  }

  private static func unsuitable(_ message: String) -> CaptureError {
    CaptureError(.unsuitableDevice, message)
  }
}
