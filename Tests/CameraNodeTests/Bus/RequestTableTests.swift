import CameraProtocol
import Digest
import EventLoop
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
    ReplyParts(message: Array(text.utf8), attachment: attachment.map(Attachment.bytes))
  }

  /// What an admission comes to, in a form that compares.
  private func admit(
    _ table: inout RequestTable, _ id: RequestID, from client: RequestTable.Client? = nil,
    settings: SHA256Digest? = nil, at time: MonotonicTime? = nil
  ) -> String {
    let admission = table.admit(
      id, from: client ?? self.client, fingerprint: settings ?? self.settings, at: time ?? start)
    func texts(_ replies: [ReplyParts]) -> String {
      replies.map { String(decoding: $0.message + ($0.attachment?.bytes ?? []), as: UTF8.self) }
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

  @Test func `A request is new once; then who sends it again waits for the same replies`() {
    var table = table()
    #expect(admit(&table, id) == "new")
    #expect(admit(&table, id) == "attached ")
    #expect(admit(&table, id, from: other) == "attached ")
    #expect(table.progressed(id, reply("step"), isKept: false) == [client, other])
    #expect(table.finish(id, reply("end"), isRemembered: true, at: start) == [client, other])
  }

  @Test func `Who attaches late gets the kept replies, who waited already does not`() {
    var table = table()
    #expect(admit(&table, id) == "new")
    _ = table.progressed(id, reply("lost"), isKept: false)
    _ = table.progressed(id, reply("kept", attachment: Array("+picture".utf8)), isKept: true)
    #expect(admit(&table, id) == "attached ")
    #expect(admit(&table, id, from: other) == "attached kept+picture")
  }

  @Test func `A finished request is answered the same again, its kept replies first`() {
    var table = table()
    _ = admit(&table, id)
    _ = table.progressed(id, reply("lost"), isKept: false)
    _ = table.progressed(id, reply("kept"), isKept: true)
    _ = table.finish(id, reply("end"), isRemembered: true, at: start)
    #expect(admit(&table, id) == "done kept end")
    #expect(admit(&table, id, from: other) == "done kept end")
    #expect(table.requestsInProgress.isEmpty)
  }

  @Test func `A request that need not be remembered is done again`() {
    var table = table()
    _ = admit(&table, id)
    _ = table.finish(id, reply("end"), isRemembered: false, at: start)
    #expect(!table.knows(id))
    #expect(admit(&table, id) == "new")
  }

  @Test func `An id with other settings is reused, under way and done`() {
    var table = table()
    let different = Self.fingerprint("other")
    _ = admit(&table, id)
    #expect(admit(&table, id, settings: different) == "idReused")
    _ = table.finish(id, reply("end"), isRemembered: true, at: start)
    #expect(admit(&table, id, settings: different) == "idReused")
  }

  @Test func `A client is busy at its limit, others are not, and an end makes room`() {
    var table = table { $0.requestsPerClient = 2 }
    #expect(admit(&table, id) == "new")
    #expect(admit(&table, .random()) == "new")
    #expect(admit(&table, .random()) == "busy")
    #expect(admit(&table, .random(), from: other) == "new")
    _ = table.finish(id, reply("end"), isRemembered: true, at: start)
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
  func `What is evicted is not done again`(bound: String) {
    var table = table { limits in
      switch bound {
      case "number": limits.finished = 1
      case "bytes": limits.finishedByteCount = 6
      default: limits.finishedAge = .seconds(1)
      }
    }
    let newer = RequestID.random()
    _ = admit(&table, id)
    _ = table.finish(id, reply("older"), isRemembered: true, at: start)
    #expect(admit(&table, id) == "done older")
    let later = start + .seconds(2)
    _ = admit(&table, newer, at: later)
    _ = table.finish(newer, reply("newer"), isRemembered: true, at: later)
    #expect(admit(&table, newer, at: later) == "done newer")
    #expect(admit(&table, id, at: later) == "outcomeUnknown")
    #expect(table.knows(id))
  }

  @Test func `Of the evicted, ids are remembered up to a limit`() {
    var table = table {
      $0.finished = 0
      $0.forgotten = 2
    }
    let ids = (0..<3).map { _ in RequestID.random() }
    for id in ids {
      _ = admit(&table, id)
      _ = table.finish(id, reply("end"), isRemembered: true, at: start)
    }
    #expect(ids.map { table.knows($0) } == [false, true, true])
  }

  @Test func `Replies are counted from one while a request is under way`() {
    var table = table()
    #expect(table.nextReply(to: id) == nil)
    _ = admit(&table, id)
    #expect(table.nextReply(to: id) == 1)
    #expect(table.nextReply(to: id) == 2)
    _ = table.finish(id, reply("end"), isRemembered: true, at: start)
    #expect(table.nextReply(to: id) == nil)
  }

  @Test func `A request ends once`() {
    var table = table()
    _ = admit(&table, id)
    #expect(table.finish(id, reply("first"), isRemembered: true, at: start) == [client])
    #expect(table.finish(id, reply("second"), isRemembered: true, at: start) == [])
    #expect(admit(&table, id) == "done first")
  }
}
