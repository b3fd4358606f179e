import OperatingSystem

/// The frame that was chosen for a photo, and how far it is from the moment asked for.
public struct ResolvedCapture: Hashable, Sendable, Codable {
  /// Which of the pictures of a burst or a bracket it is, from 1.
  public var picture = 1
  /// The frame's number since the camera's stream started, from 1.
  public var frameSequence: UInt64
  /// The frame's time; ``ExposureBounds/timestampMark`` says what it marks.
  public var timestamp: Timestamp
  /// When it was exposed.
  public var exposure: ExposureBounds
  /// The timestamp minus the moment asked for, nanoseconds; negative for a frame before it.
  public var offsetNanoseconds: Int64
  /// The size of the picture in the first file; so is what follows.
  public var size: FrameSize
  /// How the camera's picture was turned.
  public var orientation: Orientation
  /// Whether the picture is the camera's own JPEG, not encoded again: its bytes, or turned without
  /// loss.
  public var isPassthrough: Bool
  /// The JPEG quality it was encoded with, 1 to 100; nil for a picture that was not encoded.
  public var quality: Int?
  /// How long the photo waited until its idle camera streamed, nanoseconds; 0 if it did not wait
  /// for that.
  public var startNanoseconds: UInt64
  /// How else it was taken.
  public var facts = FrameFacts()
  /// The calibration that belongs to it; nil if the camera has none.
  public var calibrationID: String?
  /// When the frame was captured by the camera's own clock; nil if that is not known.
  public var deviceTime: DeviceTime?
  /// For how long the camera's streams had no frames because it changed its format for the photo,
  /// nanoseconds; 0 for a photo of the stream.
  public var gapNanoseconds: UInt64 = 0
  /// How much was done for its look.
  public var prioritization = PhotoPrioritization.speed
  /// Of how many frames the picture was made.
  public var mergedFrames = 1
  /// What a picture of a bracket was taken with; nil for others.
  public var shot: ResolvedShot?
  /// How it is known that the flash lit the frame; nil if it was not fired for it.
  public var flash: ControlEffect.Basis?

  /// The bounds of the exposure minus the moment asked for, nanoseconds: the picture shows a time
  /// within them.
  public var offsetBounds: (earliest: Int64, latest: Int64) {
    // A node may send any number.
    let moment = timestamp.monotonicNanoseconds.subtractingSaturated(offsetNanoseconds)
    return (
      exposure.earliestStartNanoseconds.subtractingSaturated(moment),
      exposure.latestEndNanoseconds.subtractingSaturated(moment)
    )
  }
}
