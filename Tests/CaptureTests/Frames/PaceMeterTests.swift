import OperatingSystem
import Testing

@testable import Capture

/// The line through the timestamps of frames.
struct PaceMeterTests {
  private static let interval = 33_333_333.3

  /// Feeds frames to a meter.
  /// - Parameter time: When a frame was taken, by its number; nil if it is lost.
  private func meter(frames: Range<UInt64>, time: (UInt64) -> Double?) throws -> PaceMeter {
    var meter = PaceMeter()
    for number in frames {
      guard let time = time(number) else { continue }
      let moment = MonotonicTime(nanoseconds: Int64(time))
      meter.take(
        FrameMetadata(
          sequence: number, timestamp: moment, marks: .arrival,
          exposure: ExposureBounds(earliestStart: moment, latestEnd: moment), dequeued: moment,
          copied: moment, wallClock: .now()))
    }
    return meter
  }

  private func due(_ number: UInt64) -> Double { 5e15 + Double(number) * Self.interval }

  @Test func `Even frames give their interval, also where some are lost`() throws {
    let pace = try #require(
      try meter(frames: 1..<400) { $0 % 7 == 3 ? nil : due($0) }.pace)
    #expect(abs(pace.interval - Self.interval) < 1)
    #expect(abs(Double(pace.newest.nanoseconds) - due(399)) < 5)
    #expect(pace.deviation < 5 && pace.frames == PaceMeter.window)
  }

  @Test func `Two frames are no line`() throws {
    #expect(try meter(frames: 1..<3, time: due).pace == nil)
    #expect(try meter(frames: 1..<4, time: due).pace?.frames == 3)
  }

  @Test func `Stamps that jitter have the line in their middle`() throws {
    var generator = SystemRandomNumberGenerator()
    let pace = try #require(
      try meter(frames: 1..<2000) {
        due($0) + Double.random(in: -2e6...2e6, using: &generator)
      }.pace)
    #expect(abs(pace.interval - Self.interval) < 30_000)
    #expect(abs(Double(pace.newest.nanoseconds) - due(1999)) < 1_000_000)
    // The root of the mean square of what is evenly spread.
    #expect(abs(pace.deviation - 2e6 / 3.0.squareRoot()) < 4e5)
  }

  @Test func `The line follows a camera that drifts`() throws {
    let pace = try #require(
      try meter(frames: 1..<5000) { due($0) + Double($0) * Double($0) / 2 }.pace)
    // Its interval has grown by a nanosecond with each frame.
    #expect(abs(pace.interval - Self.interval - 5000) < 300)
    #expect(abs(Double(pace.newest.nanoseconds) - due(4999) - 4999 * 4999 / 2) < 50_000)
  }

  @Test func `One stray stamp changes little, and a stream that begins anew has a line of its own`()
    throws
  {
    let stray = try #require(
      try meter(frames: 1..<300) { due($0) + ($0 == 290 ? 40e6 : 0) }.pace)
    #expect(abs(Double(stray.newest.nanoseconds) - due(299)) < 1_000_000)
    let jump = try #require(
      try meter(frames: 1..<300) { due($0) + ($0 >= 250 ? 20e6 : 0) }.pace)
    #expect(abs(Double(jump.newest.nanoseconds) - due(299) - 20e6) < 5)
    #expect(jump.frames < 50)
  }

  @Test func `Stamps that stand still or go back are no line`() throws {
    #expect(try meter(frames: 1..<50) { _ in 5e15 }.pace == nil)
    #expect(try meter(frames: 1..<50) { 5e15 - Double($0) * 1e6 }.pace == nil)
  }
}
