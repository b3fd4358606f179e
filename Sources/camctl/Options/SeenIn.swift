import ArgumentParser
import CameraClient

/// The picture in which somebody sees a point of interest.
enum SeenIn: String, CaseIterable, ExpressibleByArgument {
  case preview, photo

  /// The settings with points of the camera's picture instead of points of this one, as it is
  /// turned and zoomed now.
  func onCamera(
    _ settings: [(id: String, value: ControlValue)], _ camera: Camera
  ) async throws -> [(id: String, value: ControlValue)] {
    let status = try await camera.status()
    let configuration = status.configuration
    let orientation = self == .preview ? configuration.preview : configuration.capture
    let own = status.format?.orientation ?? Orientation()
    var zoom = 1.0
    if case .number(let factor)? = try? await camera.value(of: "zoom") { zoom = factor }
    return settings.map { id, value in
      guard case .point(let point) = value else { return (id, value) }
      let upright = PointOfInterest(seenAtX: point.x, y: point.y, orientation: orientation)
      return (
        id,
        .point(PointOfInterest(seenAtX: upright.x, y: upright.y, orientation: own, zoom: zoom))
      )
    }
  }
}
