import Capture
import Testing

@testable import CaptureV4L2

struct SettledFactsTests {
  private func facts(_ exposure: Int64) -> FrameFacts {
    var facts = FrameFacts()
    facts.exposure = exposure
    return facts
  }

  @Test func `After a change the facts are unknown for ten frames`() {
    var settled = SettledFacts()
    #expect(settled.next(.init(facts: facts(5))) == facts(5))
    #expect(settled.next(.init(facts: FrameFacts(), changes: 1)) == FrameFacts())
    // The ten frames begin with the last change.
    for _ in 0..<10 {
      #expect(settled.next(.init(facts: facts(7), changes: 2)) == FrameFacts())
    }
    #expect(settled.next(.init(facts: facts(7), changes: 2)) == facts(7))
  }
}
