import Testing

@testable import Capture

/// How long a camera may be silent.
struct StallPatienceTests {
  @Test func `A fast camera has two seconds between frames, and five for its first`() {
    let patience = StallPatience(interval: .seconds(1) / 30)
    #expect(patience.betweenFrames == .seconds(2))
    #expect(patience.beforeFirst == .seconds(5))
  }

  @Test func `A slow camera has eight frames`() {
    #expect(StallPatience(interval: .seconds(1)).betweenFrames == .seconds(8))
    #expect(StallPatience(interval: .seconds(1)).beforeFirst == .seconds(8))
  }

  @Test func `An exposure of seconds is waited for, also before the first frame`() {
    let patience = StallPatience(interval: .seconds(1) / 30, exposure: .seconds(4))
    #expect(patience.betweenFrames == .seconds(14))
    #expect(patience.beforeFirst == .seconds(14))
  }

  @Test func `A video whose next key picture may be seconds away has ten seconds`() {
    var patience = StallPatience(interval: .seconds(1) / 30)
    patience.awaitsKey = true
    #expect(patience.betweenFrames == .seconds(10) && patience.beforeFirst == .seconds(10))
  }

  @Test func `Each try in vain doubles the time for the first frame, up to 40 seconds`() {
    let limits = (0...4).map { tries in
      StallPatience(interval: .nanoseconds(1), tries: tries).beforeFirst / .seconds(1)
    }
    #expect(limits == [5, 10, 20, 40, 40])
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func `No number overflows`(number: Int64) {
    let patience = StallPatience(
      interval: .seconds(4_294_967_295), exposure: .nanoseconds(number), tries: Int(number))
    #expect(patience.beforeFirst >= patience.betweenFrames)
  }
}
