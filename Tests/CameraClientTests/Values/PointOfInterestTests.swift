import Capture
import Imaging
import Testing

@testable import CameraClient

struct PointOfInterestTests {
  /// Where in a picture a point of the camera is seen: the definition of an orientation, forwards.
  private func seen(
    _ point: CameraClient.PointOfInterest, _ orientation: CameraClient.Orientation, zoom: Double
  ) -> (x: Double, y: Double) {
    var (x, y) = (0.5 + (point.x - 0.5) * zoom, 0.5 + (point.y - 0.5) * zoom)
    for _ in 0..<(orientation.rotation / 90) { (x, y) = (1 - y, x) }
    return (orientation.isMirrored ? 1 - x : x, y)
  }

  @Test(arguments: [0, 90, 180, 270], [false, true])
  func `The point that is seen in a picture is the camera's, in all orientations`(
    rotation: Int, isMirrored: Bool
  ) {
    let orientation = CameraClient.Orientation(rotation: rotation, isMirrored: isMirrored)
    for zoom in [1.0, 2.5] {
      let point = CameraClient.PointOfInterest(x: 0.4, y: 0.55)
      let (x, y) = seen(point, orientation, zoom: zoom)
      let found = CameraClient.PointOfInterest(
        seenAtX: x, y: y, orientation: orientation, zoom: zoom)
      #expect(abs(found.x - point.x) < 1e-9)
      #expect(abs(found.y - point.y) < 1e-9)
    }
  }

  @Test func `A zoom that is none counts as 1`() {
    let orientation = CameraClient.Orientation()
    for zoom in [0, -1, .nan, 1] {
      let found = CameraClient.PointOfInterest(
        seenAtX: 0.25, y: 1, orientation: orientation, zoom: zoom)
      #expect(found == CameraClient.PointOfInterest(x: 0.25, y: 1))
    }
  }
}
