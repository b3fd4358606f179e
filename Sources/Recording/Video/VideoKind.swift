package import Imaging

/// How a video is made of a camera's frames.
package struct VideoKind: Hashable, Sendable {
  /// Turned pictures are scaled down to fit into this; nil keeps the camera's size.
  package var bound: ImageSize?
  package var orientation: Orientation
  package var settings: VideoSettings
  /// The most frames a second; nil for all.
  package var maximumRate: Double?
  /// Whether the camera's own H.264 gets the settings too.
  package var isReencoded: Bool

  package init(
    fitting bound: ImageSize? = nil, orientation: Orientation = .upright,
    settings: VideoSettings = VideoSettings(), maximumRate: Double? = nil, isReencoded: Bool = false
  ) {
    self.bound = bound
    self.orientation = orientation
    self.settings = settings
    self.maximumRate = maximumRate
    self.isReencoded = isReencoded
  }
}
