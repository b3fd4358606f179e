package import Imaging
package import OperatingSystem

/// A request for one photo, or for several in a row.
package struct PhotoRequest: Sendable {
  /// The steps of a photo. Pictures of a burst overlap, and so do the files of a picture. After the
  /// last file, or after `failed`, comes nothing more.
  package enum Step: Sendable {
    /// The settings are resolved; the frame may not exist yet.
    case willBegin(PhotoPlan)
    /// The number of the picture, from 1.
    case willCapture(Int)
    case captured(ResolvedPhoto)
    /// One of the picture's files, by its place in the order.
    case processed(ResolvedPhoto, PhotoFile, Int)
    /// The picture's proxy, and what its files are made of later.
    case deferred(ResolvedPhoto, PhotoFile, DeferredPhoto)
    case failed(CaptureError)
  }

  /// Chosen by the caller; names the request while it waits.
  package var ticket: UInt64
  package var timing: PhotoTiming
  /// When the node read the request.
  package var asked: MonotonicTime
  /// Checked just before a frame is chosen: later, nobody waits for the photo.
  package var deadline: MonotonicTime
  package var order: PhotoOrder
  /// What is known of the photo beforehand, for its files.
  package var facts: PhotoFacts
  /// How long it has waited for idle cameras to stream before it is given to the pipeline,
  /// nanoseconds. If it has, no frame from before that will do, unless it is one of a certain
  /// moment.
  package var start: Int64 = 0
  /// Whether the stream's first frame will do for a moment before it: the camera streams and may
  /// not have one yet.
  package var mayFollow = false
  package var onStep: @Sendable (Step) -> Void

  package init(
    ticket: UInt64,
    timing: PhotoTiming,
    asked: MonotonicTime,
    deadline: MonotonicTime,
    order: PhotoOrder = PhotoOrder(),
    facts: PhotoFacts = PhotoFacts(),
    onStep: @escaping @Sendable (Step) -> Void
  ) {
    self.ticket = ticket
    self.timing = timing
    self.asked = asked
    self.deadline = deadline
    self.order = order
    self.facts = facts
    self.onStep = onStep
  }
}
