package import Imaging

/// The frame that was chosen for a photo, and its distance from the moment asked for.
package struct ResolvedPhoto: Hashable, Sendable {
  /// The number of the picture, from 1.
  package var picture = 1
  package var metadata: FrameMetadata
  /// The size of the first file, to which the following facts belong too.
  package var size: ImageSize
  package var orientation: Orientation
  /// The frame's timestamp minus the moment asked for, nanoseconds.
  package var offset: Int64
  /// The picture is the camera's own JPEG, not encoded again: its bytes, or turned without loss.
  package var isPassthrough: Bool
  /// JPEG quality if the node encoded it; nil for the camera's own JPEG.
  package var quality: Int?
  /// How much was done for its look, and of how many frames it was made.
  package var prioritization = PhotoPrioritization.speed
  package var mergedCount = 1
  /// How long the photo waited for an idle camera to stream, nanoseconds; 0 if it streamed.
  package var start: Int64 = 0
  /// For how long the stream had no frames because of the photo, which is of another format,
  /// nanoseconds; 0 if it is of the stream.
  package var gap: Int64 = 0
  /// What a picture of a bracket was taken with; nil for others.
  package var shot: ResolvedShot?
  /// How it is known that the flash lit the frame; nil if it was not fired for it.
  package var flash: ControlEffect.Basis?
}
