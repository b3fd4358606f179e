import EventLoop
import OperatingSystem
import TestSupport
import Testing

@testable import CameraNode
@testable import Capture

/// A watch over a machine without thermometers, for which only the node's own frames count.
@Suite(.timeLimit(.minutes(5)))
struct PressureWatchTests {
  private let lateness = FrameLateness()
  private let told = Recorded<PressureState>()

  private func run(
    _ root: String, _ body: (PressureWatch, EventLoop) async throws -> Void
  ) async throws {
    let loop = try EventLoop.starting(name: "test-pressure")
    let watch = PressureWatch(
      on: loop, root: root,
      pace: PressureWatch.Pace(interval: .milliseconds(20), hold: .milliseconds(60)),
      lateness: lateness
    ) { [told] in told.add($0) }
    await loop.run { watch.start() }
    do { try await body(watch, loop) } catch {
      await loop.run { watch.close() }
      loop.stop()
      throw error
    }
    await loop.run { watch.close() }
    loop.stop()
  }

  /// The node needs an encoder for so many pictures, and is too late for some of them.
  private func need(_ pictures: Int, late: Int) {
    for number in 1...pictures {
      if number <= late { lateness.pictureIsLate() } else { lateness.needsPicture() }
    }
  }

  @Test func `A node that is too late does less, says why, and tries to do all again`()
    async throws
  {
    let folder = try TemporaryFolder()
    try await run(folder.path) { _, _ in
      await told.atLeast(1)
      // The first late frame begins a window, so the others must lie in it.
      need(1, late: 1)
      while told.events.count < 2 {
        need(40, late: 30)
        await Task.yield()
      }
      let fair = try #require(told.events.dropFirst().first)
      #expect(fair.level == .fair && fair.cause.hasPrefix("encoders are free too late for 7"))
      await told.wait { $0.last?.level == .nominal }
      #expect(told.events.allSatisfy { $0.level <= .serious })
    }
  }

  @Test func `Without late frames and thermometers nothing is looked at`() async throws {
    let folder = try TemporaryFolder()
    try await run(folder.path) { watch, loop in
      need(40, late: 0)
      #expect(await loop.run { !watch.isLooking })
      need(1, late: 1)
      // The loop takes what the late frame has queued before this.
      #expect(await loop.run { watch.isLooking })
      #expect(told.events.map(\.level) == [.nominal])
    }
  }
}
