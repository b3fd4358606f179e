import SwiftProtobuf
import Testing

@testable import CameraProtocol

@Suite("Golden requests and replies")
struct ControlVectorTests {
  @Test(
    "A request's bytes have the meaning in the vector",
    arguments: try Vector.all(in: "requests.json"))
  func readsRequest(_ vector: Vector) throws {
    let (request, attachments) = try Framing.read(
      WireRequest.self, from: vector.parts, bytes: { $0 })
    #expect(request.withoutUnknownFields == (try vector.message("meaning", as: WireRequest.self)))
    #expect(request.flaw == nil)
    #expect(attachments.isEmpty)
  }

  @Test(
    "A request is written with the bytes in the vector",
    arguments: try Vector.all(in: "requests.json"))
  func writesRequest(_ vector: Vector) throws {
    let request = try #require(try vector.message("meaning", as: WireRequest.self))
    #expect(Framing.parts(request) == vector.knownParts)
  }

  @Test(
    "A reply's bytes have the meaning in the vector", arguments: try Vector.all(in: "replies.json"))
  func readsReply(_ vector: Vector) throws {
    let (reply, attachments) = try Framing.read(WireReply.self, from: vector.parts, bytes: { $0 })
    #expect(reply.withoutUnknownFields == (try vector.message("meaning", as: WireReply.self)))
    #expect(attachments == Array(vector.parts.dropFirst(2)))
  }

  @Test(
    "A reply is written with the bytes in the vector", arguments: try Vector.all(in: "replies.json")
  )
  func writesReply(_ vector: Vector) throws {
    let reply = try #require(try vector.message("meaning", as: WireReply.self))
    let attachments = Array(vector.parts.dropFirst(2))
    #expect(Framing.parts(reply, attachments: attachments) == vector.knownParts)
  }

  @Test(
    "A bad request is refused with the code and field in the vector, or has too many parts",
    arguments: try Vector.all(in: "refused.json"))
  func refuses(_ vector: Vector) throws {
    guard let expected = try vector.message("error", as: WireError.self) else {
      // The socket drops it before its bytes are read.
      #expect(vector.parts.count > Framing.maximumParts)
      return
    }
    let refusal = try #require(self.refusal(of: vector.parts))
    #expect(refusal.code == expected.code)
    #expect(refusal.field == expected.field)
    #expect(!refusal.message.isEmpty)
    #expect(!refusal.retryable)
  }

  @Test("The vectors include every body of requests and replies")
  func coversEveryBody() throws {
    let requests = try Vector.all(in: "requests.json").compactMap {
      try $0.message("meaning", as: WireRequest.self)?.body
    }
    let replies = try Vector.all(in: "replies.json").compactMap {
      try $0.message("meaning", as: WireReply.self)?.body
    }
    #expect(Set(requests.map(name)) == Set(try bodies(of: WireRequest.self, \.body).map(name)))
    #expect(Set(replies.map(name)) == Set(try bodies(of: WireReply.self, \.body).map(name)))
  }

  private func refusal(of parts: [[UInt8]]) -> WireError? {
    do throws(FramingError) {
      return try Framing.read(WireRequest.self, from: parts, bytes: { $0 }).message.flaw
    } catch {
      return WireError(.malformed, error.message)
    }
  }

  /// The name of an enumeration's case.
  private func name(_ body: Any) -> String {
    Mirror(reflecting: body).children.first?.label ?? ""
  }

  /// Every existing body, found by reading an empty message in each field.
  private func bodies<M: SwiftProtobuf.Message, Body>(
    of type: M.Type, _ body: (M) -> Body?
  ) throws -> [Body] {
    try (1..<256).compactMap { number in
      let tag = number << 3 | 2
      let field = [UInt8(tag & 0x7F | 0x80), UInt8(tag >> 7), 0]
      return body(try M(serializedBytes: field))
    }
  }
}

extension Vector {
  /// The parts without the bytes that this version does not know.
  fileprivate var knownParts: [[UInt8]] {
    var parts = parts
    parts[1].removeLast(unknown.count)
    return parts
  }
}
