import CameraProtocol
import OperatingSystem
import Testing

@testable import CameraNode

/// What one client leaves in the memory costs no other client its service.
extension RequestMemoryTests {
  @Test func `A client at its limit is refused until a request ends; others are not`() {
    var memory = memory { $0.requestsPerClient = 2 }
    #expect(admit(&memory, id) == .new)
    #expect(admit(&memory, .random()) == .new)
    #expect(admit(&memory, .random()) == .busy(.sender))
    #expect(admit(&memory, .random(), from: other) == .new)
    _ = memory.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&memory, .random()) == .new)
  }

  @Test func `All clients together have a limit, below which each has a few places of its own`() {
    var memory = memory {
      $0.requests = 2
      $0.assuredPerClient = 1
    }
    for _ in 0..<2 { #expect(admit(&memory, .random()) == .new) }
    #expect(admit(&memory, .random()) == .busy(.everyone))
    #expect(admit(&memory, id, from: other) == .new, "nobody can take its place")
    #expect(admit(&memory, .random(), from: other) == .busy(.everyone))
    #expect(admit(&memory, id) == .attached([]), "attaching is no new work")
  }

  @Test func `What ends other work has room of its own`() {
    var memory = memory {
      $0.requests = 1
      $0.requestsPerClient = 1
      $0.urgentPerClient = 2
    }
    #expect(admit(&memory, id) == .new)
    #expect(admit(&memory, .random()) == .busy(.sender))
    for _ in 0..<2 { #expect(admit(&memory, .random(), isUrgent: true) == .new) }
    #expect(admit(&memory, .random(), isUrgent: true) == .busy(.sender))
    #expect(admit(&memory, .random(), from: other, isUrgent: true) == .new)
  }

  @Test func `Ids with a day to live lock nobody out`() {
    var memory = memory()
    let day = start + .seconds(86_400)
    serve(&memory, (0..<66_600).map { _ in .random() }, until: day)
    #expect(admit(&memory, .random(), until: day) == .new)
    #expect(admit(&memory, .random(), from: other) == .new)
  }

  @Test func `The newest ids are known, even for a request that does not look like a repetition`() {
    var memory = memory {
      $0.answers.count = 0
      $0.forgotten = 3
    }
    let ids = (0..<10).map { _ in RequestID.random() }
    serve(&memory, ids)
    #expect(ids.suffix(3).allSatisfy { admit(&memory, $0) == .outcomeUnknown })
    #expect(!memory.knows(ids[0], of: .connection(client)))
  }

  @Test
  func `While dropped ids may come again, an unknown one is served only if it is no repetition`() {
    var memory = memory {
      $0.answers.count = 0
      $0.forgotten = 1
    }
    let ids = (0..<3).map { _ in RequestID.random() }
    serve(&memory, Array(ids.prefix(2)), until: start + .seconds(5))
    #expect(admit(&memory, .random(), isRepetition: true) == .new, "nothing was dropped yet")
    serve(&memory, [ids[2]], until: start + .seconds(9))
    for id in ids { #expect(admit(&memory, id, isRepetition: true) == .outcomeUnknown) }
    let last = start + .seconds(5)
    #expect(admit(&memory, .random(), isRepetition: true, at: last) == .outcomeUnknown)
    #expect(admit(&memory, .random(), at: last) == .new)
    let harmless = admit(&memory, .random(), mustNotRepeat: false, isRepetition: true, at: last)
    #expect(harmless == .new)
    let later = last + .nanoseconds(1)
    #expect(admit(&memory, .random(), isRepetition: true, at: later) == .new)
  }

  @Test(arguments: ["the first sending", "a repetition", "a repetition that came too late"])
  func `The longest time that came with an id counts`(sender: String) {
    var memory = memory {
      $0.answers.count = sender == "a repetition" ? 1 : 0
      $0.forgotten = 1
    }
    let long = start + .seconds(5)
    _ = admit(&memory, id, until: sender == "the first sending" ? long : start)
    _ = memory.finish(id, reply("end"), isDone: true, at: start)
    if sender != "the first sending" { _ = admit(&memory, id, isRepetition: true, until: long) }
    serve(&memory, (0..<3).map { _ in .random() })
    #expect(!memory.knows(id, of: .connection(client)))
    #expect(admit(&memory, id, isRepetition: true, at: long) == .outcomeUnknown)
  }

  @Test(arguments: ["number", "bytes"])
  func `A client pushes out its own answers, never those of a client that has fewer`(
    bound: String
  ) {
    var memory = memory { limits in
      if bound == "number" { limits.answers.count = 4 } else { limits.answers.byteCount = 16 }
    }
    let ids = (0..<4).map { _ in RequestID.random() }
    serve(&memory, [id], from: other, "rare")
    for id in ids { serve(&memory, [id], "many") }
    #expect(admit(&memory, id, from: other) == .done([reply("rare")]))
    #expect(admit(&memory, ids[0]) == .outcomeUnknown)
    #expect(ids.dropFirst().allSatisfy { admit(&memory, $0) == .done([reply("many")]) })
  }

  @Test func `A client that is refused often pushes out no refusal of another`() {
    var memory = memory { $0.refusals.count = 2 }
    serve(&memory, [id], from: other, "refused", isDone: false)
    serve(&memory, (0..<10).map { _ in .random() }, isDone: false)
    #expect(admit(&memory, id, from: other) == .done([reply("refused")]))
  }

  @Test func `Among clients with equally many answers, the oldest answer goes`() {
    var memory = memory { $0.answers.count = 3 }
    let ids = (0..<5).map { _ in RequestID.random() }
    for (number, id) in ids.enumerated() {
      let time = start + .seconds(number)
      #expect(admit(&memory, id, from: [UInt8(number)], at: time) == .new)
      _ = memory.finish(id, reply("end"), isDone: true, at: time)
    }
    #expect(ids.map { admit(&memory, $0) == .outcomeUnknown } == [true, true, false, false, false])
  }

  @Test func `The memory has shrunk when many bytes of answers have expired, once`() {
    var memory = memory()
    var results: [Bool] = []
    for (number, size) in [3 << 20, 5 << 20].enumerated() {
      let end = start + .seconds(1000 * number)
      let id = RequestID.random()
      _ = admit(&memory, id, at: end)
      _ = memory.finish(
        id, reply("end", attachment: .init(repeating: 1, count: size)), isDone: true, at: end)
      results.append(memory.hasShrunk())
      memory.expire(at: end + .seconds(500))
      results.append(memory.hasShrunk())
    }
    results.append(memory.hasShrunk())
    #expect(results == [false, false, false, true, false])
  }
}
