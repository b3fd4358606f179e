import Testing

@testable import Imaging

struct AngleOfViewTests {
  private let view = AngleOfView(
    size: ImageSize(width: 1920, height: 1080), horizontal: 1600, vertical: 1600)

  @Test func `A smaller picture shows as much`() {
    let small = view.shown(
      1, scaledTo: ImageSize(width: 640, height: 360), turned: .upright)
    #expect(abs(small.horizontal - 1600.0 / 3) < 1e-9)
    #expect(small.equivalentFocalLength == 30 && view.equivalentFocalLength == 30)
  }

  @Test func `A zoom is a longer lens`() {
    let zoomed = view.shown(2, scaledTo: view.size, turned: .upright)
    #expect(zoomed.equivalentFocalLength == 60)
  }

  @Test func `A turned picture is seen through the same lens`() {
    let uneven = AngleOfView(size: view.size, horizontal: 1600, vertical: 1200)
    let turned = uneven.shown(1, scaledTo: view.size, turned: Orientation(.quarter))
    #expect(turned.size == ImageSize(width: 1080, height: 1920))
    #expect((turned.horizontal, turned.vertical) == (1200, 1600))
    #expect(turned.equivalentFocalLength == 30)
  }

  @Test func `A square cut out of the middle shows less`() {
    // Of 1920 columns 1080 are left, so the longer side of 36 mm is 1080.
    let size = ImageSize(width: 540, height: 540)
    let cut = view.shown(
      Zoom(1, cropping: view.size, to: size), scaledTo: size, turned: .upright)
    #expect(abs(cut.horizontal - 800) < 1e-9 && abs(cut.vertical - 800) < 1e-9)
    #expect(cut.equivalentFocalLength == 53)
  }
}
