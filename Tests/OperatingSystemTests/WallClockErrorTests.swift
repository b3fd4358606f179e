import Testing

@testable import OperatingSystem

struct WallClockErrorTests {
  @Test(
    arguments: [
      // The clock is not synchronised, or somebody wrote zero.
      (-1, .chronyd, nil, nil), (0, .chronyd, nil, nil),
      // The kernel's growth since a zero is no bound.
      (500, nil, nil, nil), (1, nil, nil, nil),
      (1200, .chronyd, nil, 1_200_000),
      // The operator knows better.
      (1200, .chronyd, 5_000_000, 5_000_000), (500, nil, 5_000_000, 5_000_000),
      (-1, nil, 5_000_000, 5_000_000),
    ] as [(Int64, WallClockError.Source?, Int64?, Int64?)])
  func `A bound is known where somebody computes or states it`(
    kernel: Int64, keeper: WallClockError.Source?, stated: Int64?, expected: Int64?
  ) {
    let facts = WallClockError.Facts(kernel: kernel, keeper: keeper, stated: stated)
    #expect(facts.bound == expected)
  }

  @Test func `After somebody wrote the kernel's bound it counts only when its keeper is found`() {
    var facts = WallClockError.Facts()
    func update(_ kernel: Int64) -> Bool { facts.update(kernel: kernel) }
    #expect(!update(-1))
    #expect(update(2000))
    facts.keeper = .ntpd
    // It grows.
    #expect(!update(2500) && facts.bound == 2_500_000 && facts.source == .ntpd)
    #expect(update(1000) && facts.bound == nil)
    facts.keeper = .ntpd
    #expect(!update(-1) && facts.bound == nil)
    #expect(update(0) && facts.keeper == nil)
  }

  @Test(
    arguments: [
      (0, 0, 0, true), (1, 0, 0, false), (30, 10, 20, true), (31, 10, 20, false),
      (-31, 20, 10, false),
      (3_000_000_000, .max, 5, true), (3_000_000_000, .max, .max, true), (.min, 5, 5, false),
    ] as [(Int64, Int64, Int64, Bool)])
  func `Two readings of a clock that is changed in between cannot both be true`(
    step: Int64, before: Int64, after: Int64, areBothPossible: Bool
  ) {
    let first = WallClockSample(offset: 0, error: before)
    let second = WallClockSample(offset: step, error: after)
    #expect(first.agrees(with: second) == areBothPossible)
    #expect(second.agrees(with: first) == areBothPossible)
  }
}
