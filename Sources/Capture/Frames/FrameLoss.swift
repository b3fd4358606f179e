/// Why a frame was not delivered. Every frame of the camera is either delivered or counted under
/// one of these.
package enum FrameLoss: Hashable, Sendable {
  /// A gap in the driver's own numbering: the camera or the transfer lost it.
  case camera
  /// The driver flagged the buffer as bad (`V4L2_BUF_FLAG_ERROR`), or it was shorter than its
  /// format says.
  case corrupted
  /// An MJPEG frame without its end.
  case truncated
  /// The capture thread takes only the newest of the frames that wait, and this one was older.
  case skipped
  /// All frames of the pool are in use.
  case poolExhausted
  /// The stream is thinned out to a rate.
  case thinned
}
