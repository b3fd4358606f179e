import CameraProtocol
import Digest
import EventLoop
import OperatingSystem
import Testing

@testable import CameraNode

struct RequestMemoryTests {
  private let id = RequestID.random()
  private let client: ClientAddress = [1]
  private let other: ClientAddress = [2]
  private let settings = fingerprint("capture")
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  private static func fingerprint(_ text: String) -> SHA256Digest {
    unsafe SHA256.hash(of: Array(text.utf8).span.bytes)
  }

  private func memory(_ edit: (inout RequestMemory.Limits) -> Void = { _ in }) -> RequestMemory {
    var limits = RequestMemory.Limits()
    edit(&limits)
    return RequestMemory(limits: limits)
  }

  private func reply(_ text: String, attachment: [UInt8]? = nil) -> ReplyParts {
    ReplyParts(message: Array(text.utf8), attachment: attachment)
  }

  private func arrival(
    _ id: RequestID, from client: ClientAddress? = nil, settings: SHA256Digest? = nil,
    mustNotRepeat: Bool = true, until deadline: MonotonicTime? = nil
  ) -> RequestMemory.Arrival {
    RequestMemory.Arrival(
      id: id, client: client ?? self.client, fingerprint: settings ?? self.settings,
      mustNotRepeat: mustNotRepeat, deadline: deadline ?? start)
  }

  private func admit(
    _ memory: inout RequestMemory, _ id: RequestID, from client: ClientAddress? = nil,
    settings: SHA256Digest? = nil, mustNotRepeat: Bool = true,
    until deadline: MonotonicTime? = nil, at time: MonotonicTime? = nil
  ) -> RequestMemory.Admission {
    let arrival = arrival(
      id, from: client, settings: settings, mustNotRepeat: mustNotRepeat, until: deadline)
    return memory.admit(arrival, at: time ?? start)
  }

  @Test func `A request is new once; sending it again waits for the same replies`() {
    var memory = memory()
    #expect(admit(&memory, id) == .new)
    #expect(admit(&memory, id) == .attached([]))
    #expect(admit(&memory, id, from: other) == .attached([]))
    #expect(memory.progressed(id, reply("step"), isKept: false) == [client, other])
    #expect(memory.finish(id, reply("end"), isDone: true, at: start) == [client, other])
  }

  @Test func `A late client gets the kept replies; one that waited already does not`() {
    var memory = memory()
    #expect(admit(&memory, id) == .new)
    _ = memory.progressed(id, reply("lost"), isKept: false)
    _ = memory.progressed(id, reply("kept", attachment: Array("+picture".utf8)), isKept: true)
    #expect(admit(&memory, id) == .attached([]))
    #expect(
      admit(&memory, id, from: other)
        == .attached([reply("kept", attachment: Array("+picture".utf8))]))
  }

  @Test func `A finished request gets the same answer again, with its kept replies first`() {
    var memory = memory()
    _ = admit(&memory, id)
    _ = memory.progressed(id, reply("lost"), isKept: false)
    _ = memory.progressed(id, reply("kept"), isKept: true)
    _ = memory.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&memory, id) == .done([reply("kept"), reply("end")]))
    #expect(admit(&memory, id, from: other) == .done([reply("kept"), reply("end")]))
    #expect(memory.requestsInProgress.isEmpty)
  }

  @Test func `A request that may be repeated is executed again`() {
    var memory = memory()
    #expect(admit(&memory, id, mustNotRepeat: false) == .new)
    _ = memory.finish(id, reply("end"), isDone: false, at: start)
    #expect(!memory.knows(id))
    #expect(memory.nextExpiry == nil)
    #expect(admit(&memory, id, mustNotRepeat: false) == .new)
  }

  @Test func `An id with other settings is reported as reused, before and after the end`() {
    var memory = memory()
    let different = Self.fingerprint("other")
    _ = admit(&memory, id)
    #expect(admit(&memory, id, settings: different) == .idReused)
    _ = memory.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&memory, id, settings: different) == .idReused)
  }

  @Test func `A client at its limit is refused until a request ends; others are not`() {
    var memory = memory { $0.requestsPerClient = 2 }
    #expect(admit(&memory, id) == .new)
    #expect(admit(&memory, .random()) == .new)
    #expect(admit(&memory, .random()) == .busy)
    #expect(admit(&memory, .random(), from: other) == .new)
    _ = memory.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&memory, .random()) == .new)
  }

  @Test func `All clients together have a limit`() {
    var memory = memory { $0.requests = 2 }
    #expect(admit(&memory, id, from: [1]) == .new)
    #expect(admit(&memory, .random(), from: [2]) == .new)
    #expect(admit(&memory, .random(), from: [3]) == .busy)
    #expect(admit(&memory, id, from: [3]) == .attached([]), "attaching is no new work")
  }

  @Test(arguments: ["number", "bytes", "age"])
  func `An evicted request is not executed again`(bound: String) {
    var memory = memory { limits in
      switch bound {
      case "number": limits.answers.count = 1
      case "bytes": limits.answers.byteCount = 6
      default: limits.answers.age = .seconds(1)
      }
    }
    let newer = RequestID.random()
    _ = admit(&memory, id)
    _ = memory.finish(id, reply("older"), isDone: true, at: start)
    #expect(admit(&memory, id) == .done([reply("older")]))
    let later = start + .seconds(2)
    _ = admit(&memory, newer, at: later)
    _ = memory.finish(newer, reply("newer"), isDone: true, at: later)
    #expect(admit(&memory, newer, at: later) == .done([reply("newer")]))
    #expect(admit(&memory, id, at: later) == .outcomeUnknown)
    #expect(memory.knows(id))
  }

  @Test func `A forgotten id does not block a request that may be repeated`() {
    var memory = memory { $0.answers.count = 0 }
    _ = admit(&memory, id)
    _ = memory.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&memory, id) == .outcomeUnknown)
    #expect(admit(&memory, id, mustNotRepeat: false) == .new)
    _ = memory.finish(id, reply("status"), isDone: false, at: start)
    #expect(admit(&memory, id) == .outcomeUnknown)
  }

  @Test func `A photo is taken once for an id that another kind of request used before`() {
    var memory = memory()
    #expect(admit(&memory, id, settings: Self.fingerprint("status"), mustNotRepeat: false) == .new)
    #expect(admit(&memory, id) == .idReused, "while that is under way")
    _ = memory.finish(id, reply("status"), isDone: false, at: start)
    #expect(admit(&memory, id) == .new)
    _ = memory.finish(id, reply("photo"), isDone: true, at: start)
    #expect(admit(&memory, id) == .done([reply("photo")]))
    #expect(
      admit(&memory, id, settings: Self.fingerprint("status"), mustNotRepeat: false) == .idReused)
  }

  @Test func `A refusal is repeated, and pushes out no answer`() {
    var memory = memory {
      $0.requestsPerClient = 1
      $0.answers.count = 1
      $0.refusals.count = 2
    }
    _ = admit(&memory, id)
    _ = memory.finish(id, reply("photo"), isDone: true, at: start)

    let (busy, failed, first) = (RequestID.random(), RequestID.random(), RequestID.random())
    _ = admit(&memory, first)
    #expect(admit(&memory, busy) == .busy)
    memory.refuse(arrival(busy), reply("busy"), at: start)
    _ = memory.finish(first, reply("first failed"), isDone: false, at: start)
    // A second send of a refused request gets the same refusal.
    #expect(admit(&memory, busy) == .done([reply("busy")]))
    #expect(admit(&memory, first) == .done([reply("first failed")]))
    _ = admit(&memory, failed)
    _ = memory.finish(failed, reply("failed"), isDone: false, at: start)
    #expect(admit(&memory, id) == .done([reply("photo")]))
    #expect(admit(&memory, busy) == .new, "nothing was done for it")
  }

  @Test func `A request that failed after its exposure is not executed again`() {
    var memory = memory { $0.answers.count = 0 }
    _ = admit(&memory, id)
    _ = memory.finish(id, reply("disk full"), isDone: true, at: start)
    #expect(admit(&memory, id) == .outcomeUnknown)
  }

  @Test func `Forgotten ids leave in the order in which their clients stop waiting`() {
    var memory = memory {
      $0.answers.count = 0
      $0.forgotten = 2
    }
    let ids = (0..<3).map { _ in RequestID.random() }
    // The sender of the first id waits longest.
    for (id, wait) in zip(ids, [3, 1, 2]) {
      #expect(admit(&memory, id, until: start + .seconds(wait), at: start + .seconds(10)) == .new)
      _ = memory.finish(id, reply("end"), isDone: true, at: start + .seconds(10))
    }
    #expect(ids.map { memory.knows($0) } == [true, false, true])
  }

  @Test func `While clients may still ask for every forgotten id, new requests are refused`() {
    var memory = memory {
      $0.answers.count = 0
      $0.forgotten = 2
    }
    let ids = (0..<2).map { _ in RequestID.random() }
    for id in ids {
      _ = admit(&memory, id, until: start + .seconds(5))
      _ = memory.finish(id, reply("end"), isDone: true, at: start)
    }
    #expect(admit(&memory, id) == .busy)
    #expect(admit(&memory, .random(), mustNotRepeat: false) == .new, "what may be done twice is")
    #expect(ids.map { admit(&memory, $0) } == [.outcomeUnknown, .outcomeUnknown])
    #expect(admit(&memory, id, at: start + .seconds(6)) == .new)
  }

  @Test func `The longest deadline among the senders counts`() {
    var memory = memory {
      $0.answers.count = 0
      $0.forgotten = 1
    }
    _ = admit(&memory, id, until: start + .seconds(1))
    _ = admit(&memory, id, until: start + .seconds(5))
    _ = admit(&memory, id, until: start + .seconds(2))
    _ = memory.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&memory, .random(), at: start + .seconds(3)) == .busy)
    #expect(admit(&memory, .random(), at: start + .seconds(6)) == .new)
  }

  @Test func `A client that returns under new addresses costs no more`() {
    var memory = memory { $0.clientsPerRequest = 2 }
    _ = admit(&memory, id)
    for address in 2...100 { #expect(admit(&memory, id, from: [UInt8(address)]) == .attached([])) }
    #expect(memory.clients(of: id) == [[99], [100]])
    #expect(admit(&memory, id) == .attached([]), "an old address is as good as a new one")
    #expect(memory.clients(of: id) == [[100], [1]])
    _ = memory.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&memory, .random(), from: [2]) == .new)
  }

  @Test func `A client that left gets nothing more, and its requests continue`() {
    var memory = memory { $0.requestsPerClient = 2 }
    let shared = RequestID.random()
    _ = admit(&memory, id)
    _ = admit(&memory, shared)
    _ = admit(&memory, shared, from: other)
    #expect(memory.remove(client) == [id])
    #expect(memory.remove(client) == [])
    #expect(memory.clients(of: id) == [])
    #expect(memory.clients(of: shared) == [other])
    #expect(memory.finish(id, reply("end"), isDone: true, at: start) == [])
    #expect(admit(&memory, id) == .done([reply("end")]))
    for _ in 0..<2 { #expect(admit(&memory, .random()) == .new) }
  }

  @Test func `Answers expire although nobody asks`() {
    var memory = memory()
    #expect(memory.nextExpiry == nil)
    for (number, id) in [id, .random()].enumerated() {
      let time = start + .seconds(number)
      _ = admit(&memory, id, at: time)
      _ = memory.finish(id, reply("end"), isDone: number == 0, at: time)
    }
    #expect(memory.nextExpiry == start + .seconds(120))
    memory.expire(at: start + .seconds(120))
    #expect(memory.nextExpiry == start + .seconds(121))
    memory.expire(at: start + .seconds(121))
    #expect(memory.nextExpiry == nil)
  }

  @Test func `Replies are counted from one while a request is under way`() {
    var memory = memory()
    #expect(memory.nextReply(to: id) == nil)
    _ = admit(&memory, id)
    #expect(memory.nextReply(to: id) == 1)
    #expect(memory.nextReply(to: id) == 2)
    _ = memory.finish(id, reply("end"), isDone: true, at: start)
    #expect(memory.nextReply(to: id) == nil)
  }

  @Test func `A second end of a request is ignored`() {
    var memory = memory()
    _ = admit(&memory, id)
    #expect(memory.finish(id, reply("first"), isDone: true, at: start) == [client])
    #expect(memory.finish(id, reply("second"), isDone: true, at: start) == [])
    #expect(admit(&memory, id) == .done([reply("first")]))
  }
}
