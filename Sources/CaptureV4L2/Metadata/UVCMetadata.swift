/// What `uvcvideo` says of a frame's packets: the format `V4L2_META_FMT_UVC`.
///
/// See the kernel's metafmt-uvc.rst and uvc_video.c (uvc_video_decode_meta).
struct UVCMetadata: Hashable {
  /// The camera's clock when it sent a packet, and the host's clocks when the driver took it.
  struct Reading: Hashable {
    /// The camera's clock, which wraps around.
    var ticks: UInt32
    /// The camera's number of the USB frame, modulo 2048.
    var deviceFrame: UInt16
    /// The host's number of the USB frame, modulo 2048.
    var hostFrame: UInt16
    /// `CLOCK_MONOTONIC`, nanoseconds.
    var hostTime: Int64
  }

  /// The camera's clock when it began to capture the frame.
  private(set) var captured: UInt32?
  /// The reading of the last packet that has one.
  private(set) var reading: Reading?
  /// When the driver took the frame's first packet, `CLOCK_MONOTONIC` nanoseconds.
  private(set) var firstArrival: Int64?

  private static let hasCaptured: UInt8 = 1 << 2
  private static let hasReading: UInt8 = 1 << 3
  private static let frameMask: UInt16 = 2047

  /// Reads a buffer. A block that is cut off ends it.
  ///
  /// A block's length in the camera's own header counts nothing: the driver copies as many bytes as
  /// the flags say.
  init(reading bytes: RawSpan) {
    var rest = LittleEndianReader(bytes)
    while let time = rest.next(8), let frame = rest.next(2), rest.next(1) != nil,
      let flags = rest.next(1)
    {
      let flags = UInt8(flags)
      if flags & Self.hasCaptured != 0 {
        guard let ticks = rest.next(4) else { return }
        if captured == nil { captured = UInt32(ticks) }
      }
      let hostTime = Int64(clamping: time)
      if firstArrival == nil { firstArrival = hostTime }
      guard flags & Self.hasReading != 0 else { continue }
      guard let ticks = rest.next(4), let deviceFrame = rest.next(2) else { return }
      reading = Reading(
        ticks: UInt32(ticks), deviceFrame: UInt16(deviceFrame) & Self.frameMask,
        hostFrame: UInt16(frame) & Self.frameMask, hostTime: hostTime)
    }
  }
}

/// Reads numbers one after the other.
private struct LittleEndianReader: ~Escapable {
  private let bytes: RawSpan
  private var offset = 0

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan) { self.bytes = bytes }

  /// The number in the next bytes; nil if there are fewer.
  mutating func next(_ count: Int) -> UInt64? {
    guard count <= bytes.byteCount - offset else { return nil }
    var number: UInt64 = 0
    for index in (offset..<offset + count).reversed() {
      number =
        number << 8
        | UInt64(unsafe bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self))
    }
    offset += count
    return number
  }
}
