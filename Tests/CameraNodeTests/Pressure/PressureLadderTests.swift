import OperatingSystem
import TestSupport
import Testing

@testable import CameraNode

struct PressureLadderTests {
  private func time(_ seconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: 0) + .seconds(seconds)
  }

  /// The levels after these measurements.
  private func levels(
    _ measured: KeyValuePairs<Double, PressureLevel>, hold: Duration = .seconds(6)
  ) -> [PressureLevel] {
    var ladder = PressureLadder(hold: hold)
    return measured.map { second, level in
      let before = ladder.level
      let hasChanged = ladder.take(level, at: time(second))
      #expect(hasChanged == (ladder.level != before))
      return ladder.level
    }
  }

  @Test func `The level rises at once and falls one step after each hold`() {
    #expect(
      levels([
        0: .nominal, 2: .critical, 4: .nominal, 9: .nominal, 10: .nominal, 15: .nominal,
        16: .nominal, 23: .serious, 24: .fair, 30: .fair, 60: .fair, 61: .nominal, 67: .nominal,
      ]) == [
        .nominal, .critical, .critical, .critical, .serious, .serious,
        .fair, .serious, .serious, .fair, .fair, .fair, .nominal,
      ])
  }

  @Test
  func `A level that comes back soon after it fell is held for twice as long, up to ten times`() {
    var ladder = PressureLadder(hold: .seconds(6))
    var now = 0.0
    var holds: [Double] = []
    func take(_ level: PressureLevel, after seconds: Double) -> Bool {
      now += seconds
      return ladder.take(level, at: time(now))
    }
    for _ in 0..<6 {
      #expect(take(.fair, after: 2))
      #expect(!take(.nominal, after: 2))
      let relief = now
      while !take(.nominal, after: 1) {}
      holds.append(now - relief)
    }
    #expect(holds == [6, 12, 24, 48, 60, 60])
    #expect(take(.fair, after: 60), "long after it fell it begins anew")
    #expect(!take(.nominal, after: 1))
    #expect(take(.nominal, after: 6))
  }

  @Test func `A measurement of the level itself begins the hold again`() {
    #expect(
      levels([0: .fair, 2: .nominal, 7: .fair, 9: .nominal, 14: .nominal, 15: .nominal])
        == [.fair, .fair, .fair, .fair, .fair, .nominal])
  }

  @Test func `Whatever is measured, no level falls within the hold nor by more than a step`() {
    var generator = SeededGenerator(for: "pressure ladder")
    var ladder = PressureLadder(hold: .seconds(3))
    var lastRise = time(0)
    for second in 0..<2000 {
      let measured = PressureLevel.allCases.randomElement(using: &generator) ?? .nominal
      let before = ladder.level
      let changed = ladder.take(measured, at: time(Double(second)))
      #expect(changed == (ladder.level != before))
      #expect(ladder.level >= measured || ladder.level.rawValue == before.rawValue - 1)
      #expect(ladder.level.rawValue >= before.rawValue - 1)
      if ladder.level < before { #expect(time(Double(second)) - lastRise >= .seconds(3)) }
      if measured >= before { lastRise = time(Double(second)) }
    }
  }

  @Test func `What a level takes away is never less than what the one below takes`() {
    for (below, above) in zip(PressureLevel.allCases, PressureLevel.allCases.dropFirst()) {
      #expect(below.thinning <= above.thinning)
      for recording in [false, true] {
        #expect(!below.interrupts(recording: recording) || above.interrupts(recording: recording))
      }
    }
    #expect(!PressureLevel.critical.interrupts(recording: true))
    #expect(PressureLevel.shutdown.interrupts(recording: true))
  }
}
