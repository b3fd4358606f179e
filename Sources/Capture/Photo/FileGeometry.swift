package import Imaging

/// How the pixels of a file come about from those of its frame.
struct FileGeometry: Hashable, Sendable {
  /// How the pixels are turned.
  var turn: Orientation
  /// How the file says that they are to be turned.
  var tag: Orientation
  /// The size of the file's picture in pixels.
  var size: ImageSize
  /// Whether the file has the frame's own bytes or samples.
  var keepsFrame = false
}

extension PhotoOrder {
  /// - Parameters:
  ///   - orientation: How upright pictures are to be turned.
  func geometry(
    of format: PhotoFormat, _ source: PhotoSource, _ orientation: Orientation
  ) -> FileGeometry {
    let orientation = source.orientation.followed(by: orientation)
    if format.keepsFrame {
      let tag = format.hasOrientationTag ? orientation : .upright
      return FileGeometry(turn: .upright, tag: tag, size: source.size, keepsFrame: true)
    }
    let shown = dimensions ?? orientation.turned(source.size)
    if hasOrientationTag, format.hasOrientationTag {
      return FileGeometry(turn: .upright, tag: orientation, size: orientation.turned(shown))
    }
    return FileGeometry(turn: orientation, tag: .upright, size: shown)
  }

  /// - Throws: `unsupportedFormat` if a file cannot be made of such frames, `invalidArgument` if
  ///   its picture would be larger than they are.
  package func check(_ source: PhotoSource, _ orientation: Orientation) throws(CaptureError) {
    if isDeferred, !PhotoFormat.jpeg.canShow(source.pixelFormat) {
      throw CaptureError(
        .unsupportedFormat,
        "a proxy is a JPEG, and none can be made of \(source.pixelFormat) frames: let the photo's files be made "
          + "at once, or give the camera another of its formats", part: .deferral)
    }
    guard files.allSatisfy({ $0.part == .picture }) || source.pixelFormat.isDepth else {
      throw .hasNoDistances(source.pixelFormat)
    }
    for file in files where !file.format.canShow(source.pixelFormat) {
      throw CaptureError(
        .unsupportedFormat,
        file.format == .dng
          ? "a DNG has the samples of a Bayer sensor, and the camera delivers \(source.pixelFormat): ask for "
            + "another format, or give the camera a Bayer format"
          : "no \(file.format) can be made of \(source.pixelFormat) frames: give the camera another of its "
            + "formats, or ask for raw",
        part: .outputs)
    }
    guard let dimensions, source.isOrientationKnown else { return }
    let size = source.orientation.followed(by: orientation).turned(source.size)
    guard dimensions.width <= size.width, dimensions.height <= size.height else {
      throw CaptureError(
        .invalidArgument,
        "the pictures are \(size) and are not enlarged to \(dimensions): ask for a smaller size",
        part: .dimensions)
    }
  }
}

extension FileGeometry {
  /// The bytes of the file's picture before it is compressed.
  func pixelByteCount(of frame: Frame) -> Int {
    let layout = frame.layout
    if keepsFrame { return max(layout.byteCount, frame.byteCount) }
    return size.width * size.height * (layout.pixelFormat.sampleBits ?? 8 > 8 ? 6 : 3)
  }

  /// The most bytes that the file usually has on the disk.
  func fileByteCount(of frame: Frame, as format: PhotoFormat) -> Int {
    format.losesDetail ? size.width * size.height : pixelByteCount(of: frame)
  }
}
