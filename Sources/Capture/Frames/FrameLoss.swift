/// Why a frame of the camera was not delivered. Every frame is either delivered or counted under one of these.
package enum FrameLoss: Hashable, Sendable {
  /// A gap in the driver's own numbering: the camera or the transfer lost it.
  case camera
  /// The driver flagged the buffer as bad (`V4L2_BUF_FLAG_ERROR`), or it was shorter than its format says.
  case corrupted
  /// An MJPEG frame without its end.
  case truncated
  /// Older than another frame that waited too: the capture thread drains to the newest.
  case skipped
  /// Every frame of the pool is held by somebody.
  case poolExhausted
}
