/// Whether the camera's flash is fired for a photo.
public enum FlashMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// It is not.
  case off
  /// It lights the whole exposure. The photo shows a frame from after the request.
  case on
  /// As `on` if the scene is dark when the node reads the request, else as `off`.
  case auto
}
