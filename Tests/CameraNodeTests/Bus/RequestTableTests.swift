import CameraProtocol
import Digest
import OperatingSystem
import Testing

@testable import CameraNode

struct RequestTableTests {
  private let id = RequestID.random()
  private let client: RequestTable.Client = [1]
  private let other: RequestTable.Client = [2]
  private let settings = fingerprint("capture")
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  private static func fingerprint(_ text: String) -> SHA256Digest {
    unsafe SHA256.hash(of: Array(text.utf8).span.bytes)
  }

  private func table(_ edit: (inout RequestTable.Limits) -> Void = { _ in }) -> RequestTable {
    var limits = RequestTable.Limits()
    edit(&limits)
    return RequestTable(limits: limits)
  }

  private func reply(_ text: String, attachment: [UInt8]? = nil) -> ReplyParts {
    ReplyParts(message: Array(text.utf8), attachment: attachment)
  }

  private func arrival(
    _ id: RequestID, from client: RequestTable.Client? = nil, settings: SHA256Digest? = nil,
    isDoneOnce: Bool = true, until deadline: MonotonicTime? = nil
  ) -> RequestTable.Arrival {
    RequestTable.Arrival(
      id: id, client: client ?? self.client, fingerprint: settings ?? self.settings,
      isDoneOnce: isDoneOnce, deadline: deadline ?? start)
  }

  /// The result of an admission as a text, so that it can be compared.
  private func admit(
    _ table: inout RequestTable, _ id: RequestID, from client: RequestTable.Client? = nil,
    settings: SHA256Digest? = nil, isDoneOnce: Bool = true, until deadline: MonotonicTime? = nil,
    at time: MonotonicTime? = nil
  ) -> String {
    let arrival = arrival(
      id, from: client, settings: settings, isDoneOnce: isDoneOnce, until: deadline)
    let admission = table.admit(arrival, at: time ?? start)
    func texts(_ replies: [ReplyParts]) -> String {
      replies.map { String(decoding: $0.message + ($0.attachment ?? []), as: UTF8.self) }
        .joined(separator: " ")
    }
    return switch admission {
    case .new: "new"
    case .attached(let replies): "attached \(texts(replies))"
    case .done(let replies): "done \(texts(replies))"
    case .idReused: "idReused"
    case .outcomeUnknown: "outcomeUnknown"
    case .busy: "busy"
    }
  }

  @Test func `A request is new once; sending it again waits for the same replies`() {
    var table = table()
    #expect(admit(&table, id) == "new")
    #expect(admit(&table, id) == "attached ")
    #expect(admit(&table, id, from: other) == "attached ")
    #expect(table.progressed(id, reply("step"), isKept: false) == [client, other])
    #expect(table.finish(id, reply("end"), isDone: true, at: start) == [client, other])
  }

  @Test func `A late client gets the kept replies; one that waited already does not`() {
    var table = table()
    #expect(admit(&table, id) == "new")
    _ = table.progressed(id, reply("lost"), isKept: false)
    _ = table.progressed(id, reply("kept", attachment: Array("+picture".utf8)), isKept: true)
    #expect(admit(&table, id) == "attached ")
    #expect(admit(&table, id, from: other) == "attached kept+picture")
  }

  @Test func `A finished request gets the same answer again, with its kept replies first`() {
    var table = table()
    _ = admit(&table, id)
    _ = table.progressed(id, reply("lost"), isKept: false)
    _ = table.progressed(id, reply("kept"), isKept: true)
    _ = table.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&table, id) == "done kept end")
    #expect(admit(&table, id, from: other) == "done kept end")
    #expect(table.requestsInProgress.isEmpty)
  }

  @Test func `A request that may be repeated is executed again`() {
    var table = table()
    #expect(admit(&table, id, isDoneOnce: false) == "new")
    _ = table.finish(id, reply("end"), isDone: false, at: start)
    #expect(!table.knows(id))
    #expect(table.nextExpiry == nil)
    #expect(admit(&table, id, isDoneOnce: false) == "new")
  }

  @Test func `An id with other settings is reported as reused, before and after the end`() {
    var table = table()
    let different = Self.fingerprint("other")
    _ = admit(&table, id)
    #expect(admit(&table, id, settings: different) == "idReused")
    _ = table.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&table, id, settings: different) == "idReused")
  }

  @Test func `A client at its limit is refused until a request ends; others are not`() {
    var table = table { $0.requestsPerClient = 2 }
    #expect(admit(&table, id) == "new")
    #expect(admit(&table, .random()) == "new")
    #expect(admit(&table, .random()) == "busy")
    #expect(admit(&table, .random(), from: other) == "new")
    _ = table.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&table, .random()) == "new")
  }

  @Test func `All clients together have a limit`() {
    var table = table { $0.requests = 2 }
    #expect(admit(&table, id, from: [1]) == "new")
    #expect(admit(&table, .random(), from: [2]) == "new")
    #expect(admit(&table, .random(), from: [3]) == "busy")
    #expect(admit(&table, id, from: [3]) == "attached ", "attaching is no new work")
  }

  @Test(arguments: ["number", "bytes", "age"])
  func `An evicted request is not executed again`(bound: String) {
    var table = table { limits in
      switch bound {
      case "number": limits.answers.count = 1
      case "bytes": limits.answers.byteCount = 6
      default: limits.answers.age = .seconds(1)
      }
    }
    let newer = RequestID.random()
    _ = admit(&table, id)
    _ = table.finish(id, reply("older"), isDone: true, at: start)
    #expect(admit(&table, id) == "done older")
    let later = start + .seconds(2)
    _ = admit(&table, newer, at: later)
    _ = table.finish(newer, reply("newer"), isDone: true, at: later)
    #expect(admit(&table, newer, at: later) == "done newer")
    #expect(admit(&table, id, at: later) == "outcomeUnknown")
    #expect(table.knows(id))
  }

  @Test func `A forgotten id does not block a request that may be repeated`() {
    var table = table { $0.answers.count = 0 }
    _ = admit(&table, id)
    _ = table.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&table, id) == "outcomeUnknown")
    #expect(admit(&table, id, isDoneOnce: false) == "new")
    _ = table.finish(id, reply("status"), isDone: false, at: start)
    #expect(admit(&table, id) == "outcomeUnknown")
  }

  @Test func `A photo is taken once for an id that another kind of request used before`() {
    var table = table()
    #expect(admit(&table, id, settings: Self.fingerprint("status"), isDoneOnce: false) == "new")
    #expect(admit(&table, id) == "idReused", "while that is under way")
    _ = table.finish(id, reply("status"), isDone: false, at: start)
    #expect(admit(&table, id) == "new")
    _ = table.finish(id, reply("photo"), isDone: true, at: start)
    #expect(admit(&table, id) == "done photo")
    #expect(
      admit(&table, id, settings: Self.fingerprint("status"), isDoneOnce: false) == "idReused")
  }

  @Test func `A refusal is repeated, and pushes out no answer`() {
    var table = table {
      $0.requestsPerClient = 1
      $0.answers.count = 1
      $0.refusals.count = 2
    }
    _ = admit(&table, id)
    _ = table.finish(id, reply("photo"), isDone: true, at: start)

    let (busy, failed, first) = (RequestID.random(), RequestID.random(), RequestID.random())
    _ = admit(&table, first)
    #expect(admit(&table, busy) == "busy")
    table.refuse(arrival(busy), reply("busy"), at: start)
    _ = table.finish(first, reply("first failed"), isDone: false, at: start)
    // A second send of a refused request gets the same refusal.
    #expect(admit(&table, busy) == "done busy")
    #expect(admit(&table, first) == "done first failed")
    _ = admit(&table, failed)
    _ = table.finish(failed, reply("failed"), isDone: false, at: start)
    #expect(admit(&table, id) == "done photo")
    #expect(admit(&table, busy) == "new", "nothing was done for it")
  }

  @Test func `A request that failed after its exposure is not executed again`() {
    var table = table { $0.answers.count = 0 }
    _ = admit(&table, id)
    _ = table.finish(id, reply("disk full"), isDone: true, at: start)
    #expect(admit(&table, id) == "outcomeUnknown")
  }

  @Test func `Forgotten ids leave in the order in which their clients stop waiting`() {
    var table = table {
      $0.answers.count = 0
      $0.forgotten = 2
    }
    let ids = (0..<3).map { _ in RequestID.random() }
    // The sender of the first id waits longest.
    for (id, wait) in zip(ids, [3, 1, 2]) {
      #expect(admit(&table, id, until: start + .seconds(wait), at: start + .seconds(10)) == "new")
      _ = table.finish(id, reply("end"), isDone: true, at: start + .seconds(10))
    }
    #expect(ids.map { table.knows($0) } == [true, false, true])
  }

  @Test func `While clients may still ask for every forgotten id, new requests are refused`() {
    var table = table {
      $0.answers.count = 0
      $0.forgotten = 2
    }
    let ids = (0..<2).map { _ in RequestID.random() }
    for id in ids {
      _ = admit(&table, id, until: start + .seconds(5))
      _ = table.finish(id, reply("end"), isDone: true, at: start)
    }
    #expect(admit(&table, id) == "busy")
    #expect(admit(&table, .random(), isDoneOnce: false) == "new", "what may be done twice is")
    #expect(ids.map { admit(&table, $0) } == ["outcomeUnknown", "outcomeUnknown"])
    #expect(admit(&table, id, at: start + .seconds(6)) == "new")
  }

  @Test func `The longest deadline among the senders counts`() {
    var table = table {
      $0.answers.count = 0
      $0.forgotten = 1
    }
    _ = admit(&table, id, until: start + .seconds(1))
    _ = admit(&table, id, until: start + .seconds(5))
    _ = admit(&table, id, until: start + .seconds(2))
    _ = table.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&table, .random(), at: start + .seconds(3)) == "busy")
    #expect(admit(&table, .random(), at: start + .seconds(6)) == "new")
  }

  @Test func `A client that returns under new addresses costs no more`() {
    var table = table { $0.clientsPerRequest = 2 }
    _ = admit(&table, id)
    for address in 2...100 { #expect(admit(&table, id, from: [UInt8(address)]) == "attached ") }
    #expect(table.clients(of: id) == [[99], [100]])
    #expect(admit(&table, id) == "attached ", "an old address is as good as a new one")
    #expect(table.clients(of: id) == [[100], [1]])
    _ = table.finish(id, reply("end"), isDone: true, at: start)
    #expect(admit(&table, .random(), from: [2]) == "new")
  }

  @Test func `A client that left gets nothing more, and its requests continue`() {
    var table = table { $0.requestsPerClient = 2 }
    let shared = RequestID.random()
    _ = admit(&table, id)
    _ = admit(&table, shared)
    _ = admit(&table, shared, from: other)
    #expect(table.remove(client) == [id])
    #expect(table.remove(client) == [])
    #expect(table.clients(of: id) == [])
    #expect(table.clients(of: shared) == [other])
    #expect(table.finish(id, reply("end"), isDone: true, at: start) == [])
    #expect(admit(&table, id) == "done end")
    for _ in 0..<2 { #expect(admit(&table, .random()) == "new") }
  }

  @Test func `Answers expire although nobody asks`() {
    var table = table()
    #expect(table.nextExpiry == nil)
    for (number, id) in [id, .random()].enumerated() {
      let time = start + .seconds(number)
      _ = admit(&table, id, at: time)
      _ = table.finish(id, reply("end"), isDone: number == 0, at: time)
    }
    #expect(table.nextExpiry == start + .seconds(120))
    table.expire(at: start + .seconds(120))
    #expect(table.nextExpiry == start + .seconds(121))
    table.expire(at: start + .seconds(121))
    #expect(table.nextExpiry == nil)
  }

  @Test func `Replies are counted from one while a request is under way`() {
    var table = table()
    #expect(table.nextReply(to: id) == nil)
    _ = admit(&table, id)
    #expect(table.nextReply(to: id) == 1)
    #expect(table.nextReply(to: id) == 2)
    _ = table.finish(id, reply("end"), isDone: true, at: start)
    #expect(table.nextReply(to: id) == nil)
  }

  @Test func `A second end of a request is ignored`() {
    var table = table()
    _ = admit(&table, id)
    #expect(table.finish(id, reply("first"), isDone: true, at: start) == [client])
    #expect(table.finish(id, reply("second"), isDone: true, at: start) == [])
    #expect(admit(&table, id) == "done first")
  }
}
