import Imaging
package import OperatingSystem

/// A request for one photo.
package struct PhotoRequest: Sendable {
  /// The steps of a photo, in this order. Exactly one of `processed` and `failed` comes, as the
  /// last.
  package enum Step: Sendable {
    /// The settings are resolved; the frame may not exist yet.
    case willBegin
    case willCapture
    case captured(ResolvedPhoto)
    /// The picture as a JPEG, in counted memory.
    case processed(ResolvedPhoto, Frame)
    case failed(CaptureError)
  }

  /// Chosen by the caller; names the request while it waits.
  package var ticket: UInt64
  package var timing: PhotoTiming
  /// When the node read the request.
  package var asked: MonotonicTime
  /// Checked just before a frame is chosen: later, nobody waits for the photo.
  package var deadline: MonotonicTime
  /// JPEG quality 1...100 where the node encodes.
  package var quality: Int
  /// The one in force when it is made; set by `PhotoOutput`.
  var orientation = Orientation.upright
  package var onStep: @Sendable (Step) -> Void

  package init(
    ticket: UInt64,
    timing: PhotoTiming,
    asked: MonotonicTime,
    deadline: MonotonicTime,
    quality: Int,
    onStep: @escaping @Sendable (Step) -> Void
  ) {
    self.ticket = ticket
    self.timing = timing
    self.asked = asked
    self.deadline = deadline
    self.quality = quality
    self.onStep = onStep
  }
}
