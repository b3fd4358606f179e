import Capture
import OperatingSystem
import Testing

@testable import CameraNode

struct LatenessMeterTests {
  private let begin = MonotonicTime(nanoseconds: 5_000_000_000)
  private let window = Duration.seconds(2)

  private func counts(
    pictures: UInt64 = 0, late: UInt64 = 0, frames: UInt64 = 0, skipped: UInt64 = 0
  ) -> FrameLateness.Counts {
    var counts = FrameLateness.Counts()
    counts.pictures = 1000 + pictures
    counts.latePictures = 500 + late
    counts.frames = 2000 + frames
    counts.skippedFrames = 700 + skipped
    return counts
  }

  /// What is measured over one window at a level.
  private func level(
    _ counts: FrameLateness.Counts, at level: PressureLevel = .nominal
  ) -> PressureLevel? {
    var meter = LatenessMeter(window: window)
    meter.begin(self.counts(), at: begin)
    return meter.reading(counts, at: begin + window, above: level)?.level
  }

  @Test func `Half of the pictures or of the frames must be late, of at least twenty`() {
    #expect(level(counts(pictures: 60, late: 29)) == .nominal)
    #expect(level(counts(pictures: 60, late: 30)) == .fair)
    #expect(level(counts(frames: 60, skipped: 30)) == .fair)
    #expect(level(counts(pictures: 60, frames: 60)) == .nominal)
    #expect(level(counts(pictures: 19, late: 19, frames: 19, skipped: 19)) == nil)
    #expect(level(counts()) == nil, "nobody watches")
  }

  @Test func `A node that is still too late does still less, and interrupts no camera`() {
    let late = counts(pictures: 60, late: 60)
    #expect(level(late, at: .fair) == .serious)
    for above in [PressureLevel.serious, .critical, .shutdown] {
      #expect(level(late, at: above) == .serious)
    }
  }

  @Test func `Only a whole window counts, and few frames need a longer one`() {
    var meter = LatenessMeter(window: window)
    let first = meter.reading(counts(), at: begin, above: .nominal)
    let early = meter.reading(
      counts(pictures: 60, late: 60), at: begin + .seconds(1), above: .nominal)
    #expect(first == nil && early == nil)
    let few = meter.reading(counts(pictures: 10, late: 10), at: begin + window, above: .nominal)
    #expect(few == nil)
    let enough = meter.reading(
      counts(pictures: 20, late: 19), at: begin + window * 2, above: .nominal)
    #expect(enough?.level == .fair && enough?.words.contains("95 %") == true)
    let calm = meter.reading(
      counts(pictures: 60, late: 19), at: begin + window * 3, above: .fair)
    #expect(calm?.level == .nominal, "a new window")
  }
}
