import Testing

@testable import OperatingSystem

struct WallClockErrorTests {
  @Test(
    arguments: [
      // The clock is not synchronised, or somebody wrote zero.
      (-1, true, nil, nil), (0, true, nil, nil),
      // The kernel's growth since a zero is no bound.
      (500, false, nil, nil), (1, false, nil, nil),
      (1200, true, nil, 1_200_000),
      // The operator knows better.
      (1200, true, 5_000_000, 5_000_000), (500, false, 5_000_000, 5_000_000),
      (-1, false, 5_000_000, 5_000_000),
    ] as [(Int64, Bool, Int64?, Int64?)])
  func `A bound is known where somebody computes or states it`(
    kernel: Int64, isComputed: Bool, stated: Int64?, expected: Int64?
  ) {
    let facts = WallClockError.Facts(kernel: kernel, isComputed: isComputed, stated: stated)
    #expect(facts.bound == expected)
  }

  @Test func `After somebody wrote the kernel's bound it counts only when its keeper is found`() {
    var facts = WallClockError.Facts()
    func update(_ kernel: Int64) -> Bool { facts.update(kernel: kernel) }
    #expect(!update(-1))
    #expect(update(2000))
    facts.isComputed = true
    // It grows.
    #expect(!update(2500) && facts.bound == 2_500_000)
    #expect(update(1000) && facts.bound == nil)
    facts.isComputed = true
    #expect(!update(-1) && facts.bound == nil)
    #expect(update(0) && !facts.isComputed)
  }
}
