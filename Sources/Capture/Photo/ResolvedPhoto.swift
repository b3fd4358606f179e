package import Imaging

/// The frame that was chosen for a photo, and by how much it misses what was asked.
package struct ResolvedPhoto: Hashable, Sendable {
  package var metadata: FrameMetadata
  package var size: ImageSize
  /// The frame's timestamp minus the moment asked for, nanoseconds.
  package var offset: Int64
  /// The bound of the error of `offset`, nanoseconds: zero where the driver marks the start of the exposure,
  /// one frame interval where it marks another moment, for the exposure lies somewhere in it.
  package var uncertainty: Int64
  /// The picture's bytes are the camera's own.
  package var isPassthrough: Bool
  /// JPEG quality where the node encodes; nil for the camera's own bytes.
  package var quality: Int?
}
