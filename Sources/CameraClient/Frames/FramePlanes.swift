/// The planes of a raw frame, where they lie in the frame's memory.
///
/// ```swift
/// let planes = try frame.planes
/// for index in 0..<planes.count {
///   let plane = planes[index]
///   for row in 0..<plane.height { use(plane.row(row)) }
/// }
/// ```
public struct FramePlanes: ~Escapable {
  private let bytes: RawSpan
  private let layouts: [PlaneLayout]

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, _ layouts: [PlaneLayout]) {
    self.bytes = bytes
    self.layouts = layouts
  }

  /// How many there are: 1 for packed formats such as YUYV, 2 for NV12, 3 for YU12.
  public var count: Int { layouts.count }

  /// The plane of this number, from 0; luma comes first.
  public subscript(index: Int) -> FramePlane {
    @_lifetime(copy self)
    get {
      let layout = layouts[index]
      return FramePlane(
        bytes.extracting(layout.offset..<layout.offset + layout.byteCount), layout)
    }
  }
}

/// One plane of a raw frame.
public struct FramePlane: ~Escapable {
  /// All rows with their padding: ``height`` times ``bytesPerLine`` bytes.
  public let bytes: RawSpan
  /// Samples in a row; a pair of interleaved chroma values is one sample.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Bytes from one row to the next.
  public let bytesPerLine: Int

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, _ layout: PlaneLayout) {
    self.bytes = bytes
    width = layout.width
    height = layout.height
    bytesPerLine = layout.bytesPerLine
  }

  /// The bytes of a row, with its padding.
  @_lifetime(copy self)
  public func row(_ index: Int) -> RawSpan {
    bytes.extracting(index * bytesPerLine..<(index + 1) * bytesPerLine)
  }
}

extension CameraFrame {
  /// The planes of a raw frame, without a copy.
  ///
  /// - Throws: `unsupportedFormat` for compressed frames and formats whose planes are not known;
  ///   `protocolViolation` where bytes are missing, or the numbers of the frame do not fit one
  ///   another.
  public var planes: FramePlanes {
    @_lifetime(borrow self)
    get throws(CameraBusError) {
      let layouts = try PlaneLayout.planes(
        of: pixelFormat, size, bytesPerLine: bytesPerLine, byteCount: byteCount)
      // The bytes stay where they are for as long as the frame is there.
      let memory = unsafe withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe $0 } }
      return unsafe _overrideLifetime(
        FramePlanes(RawSpan(_unsafeBytes: memory), layouts), borrowing: self)
    }
  }
}
