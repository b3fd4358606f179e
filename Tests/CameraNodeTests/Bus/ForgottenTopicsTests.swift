import Testing

@testable import CameraNode

/// The numbers of topics that come back.
@Suite struct ForgottenTopicsTests {
  @Test func `A topic goes on behind its own last number`() {
    var topics = ForgottenTopics()
    topics.add("event/a/state/", 7)
    topics.add("event/b/state/", 900)
    #expect(topics.take("event/a/state/") == 7)
    #expect(topics.take("event/b/state/") == 900)
    // One that there never was begins with 1.
    #expect(topics.take("event/c/state/") == 0)
    topics.add("event/a/state/", 9)
    topics.add("event/a/state/", 11)
    #expect(topics.take("event/a/state/") == 11)
  }

  @Test func `Of too many topics none runs backwards`() {
    var topics = ForgottenTopics()
    for number in 0..<ForgottenTopics.limit + 10 { topics.add("\(number)", UInt64(number + 1)) }
    #expect(topics.take("5") == 10)
    #expect(topics.take("new") == 10)
    #expect(topics.take("500") == 501)
  }
}
