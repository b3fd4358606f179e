import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraProtocol

/// Random and mutated bytes are read as a valid value or refused with a typed error. A trap would
/// end the whole run. `CAMERABUS_SEED` repeats a run.
@Suite("Hostile bytes")
struct HostileBytesTests {
  private static let rounds = 20_000

  @Test("A mutated request is refused, or stays the same when written and read again")
  func requests() throws {
    var generator = SeededGenerator(for: "requests")
    let seeds = try ["requests.json", "refused.json"].flatMap { try Vector.all(in: $0) }
    for _ in 0..<Self.rounds {
      let parts = mutated(seeds.randomElement(using: &generator)?.parts ?? [], &generator)
      guard let request = read(WireRequest.self, parts) else { continue }
      if let flaw = request.flaw {
        #expect([.invalidArgument, .unsupported].contains(flaw.code))
        #expect(!flaw.message.isEmpty)
      } else {
        #expect(RequestID(bytes: request.id) != nil)
        let again = try #require(read(WireRequest.self, Framing.parts(request)))
        #expect(again.bytes == request.bytes)
        #expect(again.flaw == nil)
      }
    }
  }

  @Test("A mutated reply is refused, or stays the same when written and read again")
  func replies() throws {
    var generator = SeededGenerator(for: "replies")
    let seeds = try Vector.all(in: "replies.json")
    for _ in 0..<Self.rounds {
      let parts = mutated(seeds.randomElement(using: &generator)?.parts ?? [], &generator)
      guard let reply = read(WireReply.self, parts) else { continue }
      let again = try #require(read(WireReply.self, Framing.parts(reply)))
      #expect(again.bytes == reply.bytes)
    }
  }

  @Test("A mutated publication is refused, or has a topic, an epoch and a number")
  func publications() throws {
    var generator = SeededGenerator(for: "publications")
    let seeds = try Vector.all(in: "publications.json")
    for _ in 0..<Self.rounds {
      let parts = mutated(seeds.randomElement(using: &generator)?.parts ?? [], &generator)
      guard let publication = try? Publication(parts) else { continue }
      #expect(Array(publication.topic.name.utf8) == parts[0])
      #expect(publication.header.sequence > 0)
      if case .event = publication.topic,
        let event = try? Framing.decode(WireEvent.self, from: parts[2])
      {
        #expect(try Framing.decode(WireEvent.self, from: event.bytes).bytes == event.bytes)
      }
    }
  }

  @Test("Random bytes are refused, or are a message that can be written again")
  func noise() throws {
    var generator = SeededGenerator(for: "noise")
    for _ in 0..<Self.rounds {
      let parts = [Framing.signature, generator.bytes(upTo: 64)]
      guard let request = read(WireRequest.self, parts) else { continue }
      #expect(read(WireRequest.self, Framing.parts(request))?.bytes == request.bytes)
    }
  }

  @Test("A topic that can be read is written as the same bytes")
  func topics() {
    var generator = SeededGenerator(for: "topics")
    let seeds = ["heartbeat/", "frame/front/preview/", "frame/a/320x240/", "event/front/state/"]
    for _ in 0..<Self.rounds {
      let seed = Array((seeds.randomElement(using: &generator) ?? "").utf8)
      let bytes = generator.mutated(seed)
      guard let topic = Topic(parsing: bytes) else { continue }
      #expect(Array(topic.name.utf8) == bytes)
    }
  }

  @Test("A time that can be read is written as the same time")
  func wallTimes() {
    var generator = SeededGenerator(for: "wallTimes")
    let seed = Array("2026-11-21T09:07:07.123456789+01:00".utf8)
    for _ in 0..<Self.rounds {
      let text = String(decoding: generator.mutated(seed), as: UTF8.self)
      guard let moment = WallTime.nanoseconds(parsing: text) else { continue }
      #expect(WallTime.nanoseconds(parsing: WallTime.text(nanoseconds: moment)) == moment)
    }
  }

  private func mutated(_ parts: [[UInt8]], _ generator: inout SeededGenerator) -> [[UInt8]] {
    guard let index = parts.indices.randomElement(using: &generator) else { return parts }
    var parts = parts
    parts[index] = generator.mutated(parts[index])
    return parts
  }

  private func read<M: ShapedMessage>(_ type: M.Type, _ parts: [[UInt8]]) -> M? {
    try? Framing.read(type, from: parts, bytes: { $0 }).message
  }
}
