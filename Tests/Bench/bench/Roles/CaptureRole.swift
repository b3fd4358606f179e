import ArgumentParser
import CameraClient

/// Takes photos of now at random moments, independent of the camera's frames.
struct CaptureRole: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "capture", shouldDisplay: false)

  @Option var control: String
  @Option var count: Int
  @Option(help: "Between two frames, nanoseconds.") var interval: Int64

  func run() async throws {
    let bus = try CameraBus(control)
    let camera = try bus.camera("cam")
    var (delays, totals) = (Samples(), Samples())
    var near: Int64 = 0
    var random: UInt64 = 1
    for shot in -5..<count {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let pause = Double(random >> 11) / 0x1p53 * 1.5 * Double(interval)
      try await Task.sleep(nanoseconds: UInt64(pause))
      let asked = Clock.now
      let photo = try await camera.capture(.now, PhotoSettings(isKept: false))
      let had = Clock.now
      guard shot >= 0, let resolved = photo.resolved else { continue }
      // The nearest frame may be the next one. Its time starts at its exposure, because nobody can
      // have it before.
      delays.add(had - max(asked, resolved.timestamp.monotonic.nanoseconds))
      totals.add(had - asked)
      // The driver's times are whole microseconds.
      if abs(Int64(resolved.offset / .nanoseconds(1))) <= interval / 2 + 1000 {
        near += 1
      }
    }
    delays.printResult(
      cpu: 0, ["near": near, "total50": totals.percentile(50), "total99": totals.percentile(99)])
    await bus.close()
  }
}
