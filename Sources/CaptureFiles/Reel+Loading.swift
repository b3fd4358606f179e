import Capture
import Imaging
import OperatingSystem

extension Reel {
  /// The pictures are held in memory. More than this is treated as a mistake.
  static let memoryLimit = 1 << 30

  /// What is played.
  private struct Contents {
    var files: [(path: String, bytes: [UInt8])] = []
    var brokenLinks: [String] = []
    private var byteCount = 0

    mutating func take(_ file: borrowing OpenFile, of place: String) throws(CaptureError) {
      guard file.isFile else { return }
      byteCount += file.byteCount
      guard byteCount <= memoryLimit else {
        throw unsuitable(
          "the pictures in \(place) take more than \(memoryLimit >> 20) MiB of memory: play fewer")
      }
      files.append((file.path, try file.bytes()))
    }
  }

  /// Reads the files in the order of their names and checks that each has the right format.
  ///
  /// - Throws: `unsuitableDevice` with the name of the file that does not fit, and the errors of
  ///   opening and reading.
  static func load(_ specification: FilesSpecification) throws(CaptureError) -> Reel {
    let contents = try contents(of: specification)
    guard !contents.files.isEmpty else {
      throw nothing(in: specification, brokenLinks: contents.brokenLinks)
    }
    return try specification.isRaw
      ? raw(contents, specification.request) : jpegs(contents)
  }

  private static func contents(
    of specification: FilesSpecification
  ) throws(CaptureError) -> Contents {
    var contents = Contents()
    let place = try OpenFile(specification.path)
    guard place.isFolder else {
      try contents.take(place, of: specification.path)
      return contents
    }
    for name in try place.names() where specification.plays(name) {
      if let file = try place.file(named: name) {
        try contents.take(file, of: specification.path)
      } else {
        contents.brokenLinks.append("\(name)")
      }
    }
    return contents
  }

  private static func jpegs(_ contents: Contents) throws(CaptureError) -> Reel {
    var first: (path: String, size: ImageSize)?
    for (path, bytes) in contents.files {
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
      contents.files.map(\.bytes), layout: .compressed(.mjpeg, size: first.size),
      frameByteCount: nil, without: contents.brokenLinks)
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
    _ contents: Contents, _ request: FormatRequest
  ) throws(CaptureError) -> Reel {
    guard let format = request.pixelFormat, let size = request.size,
      let layout = try? ImageLayout(
        size: size, pixelFormat: format, range: format == .grey ? .full : .limited)
    else { preconditionFailure("a specification of raw frames names their layout") }
    for (path, bytes) in contents.files
    where bytes.isEmpty || !bytes.count.isMultiple(of: layout.byteCount) {
      throw unsuitable(
        """
        \(path) has \(bytes.count) bytes: \(format) frames of \(size) take \(layout.byteCount) each, one or more of them \
        a file
        """
      )
    }
    return Reel(
      contents.files.map(\.bytes), layout: layout, frameByteCount: layout.byteCount,
      without: contents.brokenLinks)
  }

  private static func nothing(
    in specification: FilesSpecification, brokenLinks: [String]
  ) -> CaptureError {
    if let first = brokenLinks.first {
      return CaptureError(
        .deviceNotFound,
        "all pictures in \(specification.path) are links that lead nowhere, \(first) first: mend them"
      )
    }
    return specification.isRaw
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

extension FilesSpecification {
  fileprivate func plays(_ name: FileName) -> Bool {
    let lowered = name.description.lowercased()
    return isRaw || lowered.hasSuffix(".jpg") || lowered.hasSuffix(".jpeg")
  }
}
