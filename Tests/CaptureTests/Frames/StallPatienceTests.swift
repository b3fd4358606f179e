import Testing

@testable import Capture

/// How long a camera may be silent.
struct StallPatienceTests {
  private static let second: Int64 = 1_000_000_000

  @Test func `A fast camera has two seconds between frames, and five for its first`() {
    let patience = StallPatience(interval: Self.second / 30)
    #expect(patience.betweenFrames == 2 * Self.second)
    #expect(patience.beforeFirst == 5 * Self.second)
  }

  @Test func `A slow camera has eight frames`() {
    #expect(StallPatience(interval: Self.second).betweenFrames == 8 * Self.second)
    #expect(StallPatience(interval: Self.second).beforeFirst == 8 * Self.second)
  }

  @Test func `An exposure of seconds is waited for, also before the first frame`() {
    let patience = StallPatience(interval: Self.second / 30, exposure: 4 * Self.second)
    #expect(patience.betweenFrames == 14 * Self.second)
    #expect(patience.beforeFirst == 14 * Self.second)
  }

  @Test func `Each try in vain doubles the time for the first frame, up to 40 seconds`() {
    let limits = (0...4).map { tries in
      StallPatience(interval: 1, tries: tries).beforeFirst / Self.second
    }
    #expect(limits == [5, 10, 20, 40, 40])
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func `No number overflows`(number: Int64) {
    let patience = StallPatience(
      interval: 4_294_967_295 * Self.second, exposure: number, tries: Int(number))
    #expect(patience.beforeFirst >= patience.betweenFrames)
  }
}
