/// Where a plane of a raw frame lies among the frame's bytes. Pure; every number from the wire is
/// checked.
///
/// The planes follow one another without a gap (Protocol/README.md, "Streams"). Halves are rounded
/// up.
package struct PlaneLayout: Hashable, Sendable {
  /// The first byte.
  package var offset: Int
  /// Samples in a row; a pair of interleaved chroma values is one sample.
  package var width: Int
  /// Rows.
  package var height: Int
  /// Bytes from one row to the next.
  package var bytesPerLine: Int
  /// Bytes of all rows, with their padding.
  package var byteCount: Int { bytesPerLine * height }

  fileprivate enum Shape {
    /// One plane with this many bytes a pixel.
    case packed(bytesPerPixel: Int)
    /// One plane with two pixels in four bytes.
    case packed422
    /// Luma, then two planes of chroma; its rows are halved too, where it says so.
    case planar(halvesRows: Bool)
    /// Luma, then one plane of interleaved chroma.
    case semiPlanar(halvesRows: Bool)
  }

  /// The planes of a frame.
  ///
  /// - Parameters:
  ///   - bytesPerLine: Bytes from one row to the next of the first plane.
  ///   - byteCount: How many bytes the frame has.
  /// - Throws: `unsupportedFormat` for compressed and unknown formats; `protocolViolation` where
  ///   the numbers do not fit one another, or bytes are missing.
  package static func planes(
    of pixelFormat: String,
    _ size: FrameSize,
    bytesPerLine: Int,
    byteCount: Int
  ) throws(CameraBusError) -> [PlaneLayout] {
    guard let shape = shape(of: pixelFormat) else { throw .noPlanes(pixelFormat) }
    // With these bounds no product below overflows.
    guard (1...0xffff).contains(size.width), (1...0xffff).contains(size.height),
      (shape.shortestLine(size.width)...max(byteCount, shape.shortestLine(size.width)))
        .contains(bytesPerLine)
    else { throw .misfit(pixelFormat, size, bytesPerLine: bytesPerLine, byteCount: byteCount) }
    var planes: [PlaneLayout] = []
    var end = 0
    for plane in shape.planes(size, bytesPerLine: bytesPerLine) {
      planes.append(plane.moved(to: end))
      end += plane.byteCount
    }
    guard end <= byteCount else {
      throw .misfit(pixelFormat, size, bytesPerLine: bytesPerLine, byteCount: byteCount)
    }
    return planes
  }

  private func moved(to offset: Int) -> PlaneLayout {
    var plane = self
    plane.offset = offset
    return plane
  }

  /// By V4L2's four characters, with the padding left off.
  private static func shape(of pixelFormat: String) -> Shape? {
    switch pixelFormat {
    case "YUYV", "UYVY", "YVYU", "VYUY": .packed422
    case "NV12", "NV21": .semiPlanar(halvesRows: true)
    case "NV16": .semiPlanar(halvesRows: false)
    case "YU12", "YV12": .planar(halvesRows: true)
    case "422P": .planar(halvesRows: false)
    case "GREY", "BA81", "GBRG", "GRBG", "RGGB": .packed(bytesPerPixel: 1)
    case "Y10", "Y12", "Y16", "Z16", "RGBP", "BG10", "GB10", "BA10", "RG10", "BG12", "GB12", "BA12",
      "RG12", "BYR2", "GB16", "GR16", "RG16":
      .packed(bytesPerPixel: 2)
    case "RGB3", "BGR3": .packed(bytesPerPixel: 3)
    case "RGB4", "BGR4", "XR24", "BX24": .packed(bytesPerPixel: 4)
    default: nil
    }
  }
}

extension PlaneLayout.Shape {
  /// The bytes of a first plane's row without padding.
  fileprivate func shortestLine(_ width: Int) -> Int {
    switch self {
    case .packed(let bytesPerPixel): width * bytesPerPixel
    case .packed422: (width + 1) / 2 * 4
    case .planar, .semiPlanar: width
    }
  }

  /// The planes in their order, without their places.
  fileprivate func planes(_ size: FrameSize, bytesPerLine: Int) -> [PlaneLayout] {
    let first = PlaneLayout(
      offset: 0, width: size.width, height: size.height, bytesPerLine: bytesPerLine)
    var chroma = first
    chroma.width = (size.width + 1) / 2
    switch self {
    case .packed, .packed422: return [first]
    case .planar(let halvesRows):
      chroma.height = halvesRows ? (size.height + 1) / 2 : size.height
      chroma.bytesPerLine = (bytesPerLine + 1) / 2
      return [first, chroma, chroma]
    case .semiPlanar(let halvesRows):
      chroma.height = halvesRows ? (size.height + 1) / 2 : size.height
      chroma.bytesPerLine = (bytesPerLine + 1) / 2 * 2
      return [first, chroma]
    }
  }
}

extension CameraBusError {
  fileprivate static func noPlanes(_ pixelFormat: String) -> CameraBusError {
    CameraBusError(
      .unsupportedFormat,
      ["JPEG", "MJPG"].contains(pixelFormat)
        ? "a \(pixelFormat) frame is compressed and has no planes: decode it, or subscribe to the raw stream"
        : "the planes of \(pixelFormat) frames are not known: read the frame's bytes instead"
    )
  }

  fileprivate static func misfit(
    _ pixelFormat: String,
    _ size: FrameSize,
    bytesPerLine: Int,
    byteCount: Int
  ) -> CameraBusError {
    .protocolViolation(
      "\(byteCount) bytes are no \(size) frame of \(pixelFormat) with \(bytesPerLine) bytes a row")
  }
}
