import Capture
import CaptureSynthetic
import Testing

/// The effect of every picture control on the delivered pixels.
struct PictureControlTests {
  private static let specification = "320x180@60,format=GREY,caption=off"

  /// A picture before and one after the controls are set on a running camera.
  private func change(
    _ controls: KeyValuePairs<String, Int64>
  ) async throws -> (before: Picture, after: Picture) {
    try await Rig.run(Self.specification) { rig in
      let before = try #require(await rig.receiver.picture())
      for (name, value) in controls {
        let taken = try rig.set(name, value)
        #expect(try rig.value(name) == taken)
      }
      return (before, try #require(await rig.freshPicture()))
    }
  }

  @Test(
    arguments: [
      (["brightness": 168], 40.0...40.0), (["brightness": 0], -191 ... -30),
      (["auto_exposure": 1, "exposure_time_absolute": 50], -60 ... -30),
      (["auto_exposure": 1, "gain": 130], 15...35),
      (["auto_exposure": 1, "exposure_time_absolute": 50, "gain": 200], 0...0),
      (["temperature": 80], 30...30), (["contrast": 0], 20...60),
    ] as [(KeyValuePairs<String, Int64>, ClosedRange<Double>)]
  )
  func `Light and tone shift the mean`(
    controls: KeyValuePairs<String, Int64>,
    shift: ClosedRange<Double>
  ) async throws {
    let (before, after) = try await change(controls)
    #expect(shift.contains(after.mean - before.mean), "\(before.mean) to \(after.mean)")
  }

  @Test func `Contrast pulls all values towards the middle`() async throws {
    let (_, after) = try await change(["contrast": 0])
    #expect(after.bytes.prefix(320 * 90).allSatisfy { $0 == 128 })
  }

  @Test func `Zoom shows the middle bars larger`() async throws {
    let (before, after) = try await change(["zoom_absolute": 400])
    #expect(after.grey(0.05, 0.1) == before.grey(0.4, 0.1))
    #expect(after.grey(0.95, 0.1) == before.grey(0.6, 0.1))
  }

  @Test func `Focus blurs the edges between the bars`() async throws {
    let (before, after) = try await change(["focus_absolute": 250])
    let edge = 319.0 / 640
    #expect(before.grey(edge, 0.3) == before.grey(0.4, 0.3))
    #expect(after.grey(edge, 0.3) < before.grey(edge, 0.3))
    #expect(after.grey(edge, 0.3) > before.grey(0.6, 0.3))
  }

  @Test func `Flips mirror the bars`() async throws {
    let (before, after) = try await change(["horizontal_flip": 1, "vertical_flip": 1])
    for x in [0.1, 0.3, 0.6, 0.9] {
      #expect(after.grey(1 - x, 0.5) == before.grey(x, 0.5))
      #expect(after.grey(x, 0.1) == before.grey(1 - x, 0.8))
    }
  }

  @Test(arguments: [(1, 128.0), (2, 0), (3, 255), (4, 127.5)] as [(Int64, Double)])
  func `The test pattern is chosen from a menu`(index: Int64, mean: Double) async throws {
    let (_, after) = try await change(["test_pattern": index])
    #expect(abs(after.mean - mean) < 8)
  }

  @Test func `A change is reported to the receiver, with all dependent controls`() async throws {
    try await Rig.run(Self.specification) { rig in
      try rig.set("auto_exposure", 1)
      let ids = ["auto_exposure", "exposure_time_absolute", "gain"].map(ControlID.init(rawValue:))
      for id in ids {
        #expect(await rig.receiver.next { $0 == .controlChanged(id) ? true : nil } == true)
      }
    }
  }

  @Test func `The strip stays readable with any settings`() async throws {
    let (_, after) = try await change(
      [
        "contrast": 0, "brightness": 255, "zoom_absolute": 500, "focus_absolute": 250,
        "horizontal_flip": 1, "vertical_flip": 1,
      ])
    #expect(after.strip?.number == after.metadata.sequence)
  }
}
