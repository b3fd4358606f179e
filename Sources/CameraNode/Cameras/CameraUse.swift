import CameraProtocol

/// Something that needs a camera's frames.
enum CameraUse: Hashable {
  /// Subscribers to its streams.
  case subscribers
  /// A photo or a movie, by the request's id.
  case request(RequestID)
}
