import TestSupport
import Testing

@testable import Capture

/// Where a camera with a region of interest measures.
struct PointOfInterestTests {
  private typealias Setting = CaptureSession.Setting

  /// As uvcvideo of Linux 6.16 describes the region of interest, with bits that have no meaning.
  private static let region: [ControlDescription] = {
    var rectangle = ControlDescription(
      id: "region", name: "region", kind: .array, minimum: -1000, maximum: 10_000,
      standard: .regionOfInterest)
    rectangle.dimensions = [4]
    rectangle.regions = ControlRegion.Bounds(
      smallest: ControlRegion(left: 0, top: 0, width: 10, height: 10),
      largest: ControlRegion(left: 100, top: 200, width: 2000, height: 1000))
    let automatics = ControlDescription(
      id: "automatics", name: "automatics", kind: .bitmask, maximum: 0b11_1001,
      standard: .regionAutomatics)
    return [rectangle, automatics]
  }()

  @Test(
    arguments: [
      (0.5, 0.25, [900, 350, 400, 200], 0.5, 0.25), (0, 0, [100, 200, 400, 200], 0.1, 0.1),
      (1, 1, [1700, 1000, 400, 200], 0.9, 0.9), (0.05, 0.5, [100, 600, 400, 200], 0.1, 0.5),
    ] as [(Double, Double, [Int64], Double, Double)])
  func `A point of interest is the middle of a region within the sensor`(
    x: Double, y: Double, elements: [Int64], readX: Double, readY: Double
  ) throws {
    let meanings = ControlMeanings(Self.region)
    let settings = try meanings.expand([
      Setting("point_of_interest", to: .point(PointOfInterest(x: x, y: y)))
    ])
    #expect(
      settings == [
        Setting("region", to: .array(elements)), Setting("automatics", to: .integer(0b1001)),
      ])
    let state = meanings.state(of: try meanings.control("point_of_interest")) { id in
      settings.first { $0.control == id }?.value
    }
    guard case .point(let point)? = state.value else {
      Issue.record("no point")
      return
    }
    #expect(abs(point.x - readX) < 1e-9)
    #expect(abs(point.y - readY) < 1e-9)
  }

  @Test func `The centre lets the camera measure everywhere, as it does by default`() throws {
    let meanings = ControlMeanings(Self.region)
    let control = try meanings.control("point_of_interest")
    let center = Setting("point_of_interest", to: .point(.center))
    #expect(
      try meanings.expand([center]) == [
        Setting("region", to: .array([100, 200, 2000, 1000])),
        Setting("automatics", to: .integer(0)),
      ])
    // Of a region for other automatics alone.
    let other = meanings.state(of: control) { id in
      id == "automatics" ? .integer(0b11_0000) : .array([100, 200, 10, 10])
    }
    #expect(other.value == .point(.center))
    // A driver that says nonsense has no point.
    let broken = meanings.state(of: control) { id in
      id == "automatics" ? .integer(1) : .array([0, 0, -5, 0])
    }
    #expect(broken.value == nil)
  }

  @Test func `Without bounds or automatics for it there is no point of interest`() throws {
    var rectangle = Self.region[0]
    rectangle.regions = nil
    var automatics = Self.region[1]
    automatics.maximum = 0b11_0000
    for controls in [[Self.region[0]], [rectangle, Self.region[1]], [Self.region[0], automatics]] {
      let error = #expect(throws: CaptureError.self) {
        try ControlMeanings(controls).control("point_of_interest")
      }
      #expect(error?.code == .noSuchControl)
    }
  }

  @Test(
    arguments: [
      .point(PointOfInterest(x: 1.01, y: 0)), .point(PointOfInterest(x: 0, y: -0.01)),
      .point(PointOfInterest(x: .nan, y: 0)), .number(0.5), .array([0, 1, 1]), .array([0, 2]),
    ] as [ControlValue])
  func `A point lies in the picture`(value: ControlValue) throws {
    let error = #expect(throws: CaptureError.self) {
      try ControlMeanings(Self.region).expand([Setting("point_of_interest", to: value)])
    }
    #expect(error?.code == .invalidControlValue)
    #expect(error?.message.contains("two numbers from 0 to 1") == true)
  }
}
