import CameraProtocol
import Digest
import EventLoop
import OperatingSystem
import Testing

@testable import CameraNode

struct RequestMemoryTests {
  let id = RequestID.random()
  let client: ClientAddress = [1]
  let other: ClientAddress = [2]
  let settings = fingerprint("capture")
  let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  static func fingerprint(_ text: String) -> SHA256Digest {
    unsafe SHA256.hash(of: Array(text.utf8).span.bytes)
  }

  func memory(_ edit: (inout RequestMemory.Limits) -> Void = { _ in }) -> RequestMemory {
    var limits = RequestMemory.Limits()
    edit(&limits)
    return RequestMemory(limits: limits)
  }

  func reply(_ text: String, attachment: [UInt8]? = nil) -> ReplyParts {
    ReplyParts(message: Array(text.utf8), attachment: attachment)
  }

  func arrival(
    _ id: RequestID, from client: ClientAddress? = nil, settings: SHA256Digest? = nil,
    mustNotRepeat: Bool = true, isRepetition: Bool = false, isUrgent: Bool = false,
    until deadline: MonotonicTime? = nil
  ) -> RequestMemory.Arrival {
    RequestMemory.Arrival(
      id: id, client: client ?? self.client, holder: .connection(client ?? self.client),
      fingerprint: settings ?? self.settings,
      mustNotRepeat: mustNotRepeat, isRepetition: isRepetition, isUrgent: isUrgent,
      deadline: deadline ?? start)
  }

  func admit(
    _ memory: inout RequestMemory, _ id: RequestID, from client: ClientAddress? = nil,
    settings: SHA256Digest? = nil, mustNotRepeat: Bool = true, isRepetition: Bool = false,
    isUrgent: Bool = false, until deadline: MonotonicTime? = nil, at time: MonotonicTime? = nil
  ) -> RequestMemory.Admission {
    let arrival = arrival(
      id, from: client, settings: settings, mustNotRepeat: mustNotRepeat,
      isRepetition: isRepetition, isUrgent: isUrgent, until: deadline)
    return memory.admit(arrival, at: time ?? start)
  }

  /// Serves requests whose sender waits until `deadline`.
  func serve(
    _ memory: inout RequestMemory, _ ids: [RequestID], from client: ClientAddress? = nil,
    _ text: String = "end", isDone: Bool = true, until deadline: MonotonicTime? = nil
  ) {
    for id in ids {
      #expect(admit(&memory, id, from: client, until: deadline) == .new)
      _ = memory.finish(id, reply(text), isDone: isDone, at: start)
    }
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
    #expect(!memory.knows(id, of: .connection(client)))
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
    #expect(memory.knows(id, of: .connection(client)))
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
    #expect(admit(&memory, busy) == .busy(.sender))
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

  @Test func `A client that returns under new addresses costs no more, and the first one stays`() {
    var memory = memory { $0.clientsPerRequest = 3 }
    _ = admit(&memory, id)
    for address in 2...100 { #expect(admit(&memory, id, from: [UInt8(address)]) == .attached([])) }
    #expect(memory.clients(of: id) == [[1], [99], [100]])
    #expect(
      admit(&memory, id, from: [2]) == .attached([]), "an old address is as good as a new one")
    #expect(memory.clients(of: id) == [[1], [100], [2]])
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
