import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraProtocol

/// Compares heartbeats that are written and read by hand with SwiftProtobuf. `CAMERABUS_SEED`
/// repeats a run.
@Suite("Heartbeats")
struct HeartbeatTests {
  @Test("Mutated bytes are read as SwiftProtobuf reads them, or refused where it refuses them")
  func sameMeaning() throws {
    var generator = SeededGenerator(for: "mutated heartbeats")
    var refusals = 0
    for _ in 0..<20_000 {
      let bytes = generator.mutated(Self.heartbeat(&generator).bytes)
      let ours = try? HeartbeatReader.topics(bytes)
      if let theirs = try? WireHeartbeat(serializedBytes: bytes) {
        #expect(ours?.map(\.topic) == theirs.topics.map(\.topic), "\(bytes)")
        #expect(ours?.map(\.lastSequence) == theirs.topics.map(\.lastSequence), "\(bytes)")
      } else {
        refusals += 1
        // SwiftProtobuf also refuses names that are not UTF-8. Our reader returns them, and they
        // are no topics.
        #expect(ours?.contains { Topic(parsing: $0.topic.utf8) == nil } ?? true, "\(bytes)")
      }
    }
    // The test shows something only if both outcomes occur.
    #expect((500..<19_500).contains(refusals))
  }

  @Test("A heartbeat is written as SwiftProtobuf writes it, byte for byte")
  func sameBytes() {
    var generator = SeededGenerator(for: "heartbeats")
    var writer = HeartbeatWriter()
    for _ in 0..<2000 {
      let message = WireHeartbeat.with { message in
        message.topics = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          .with {
            let length = Int.random(in: 0...Topic.maximumByteCount, using: &generator)
            $0.topic = String(repeating: "t", count: length)
            $0.lastSequence = generator.next() >> UInt64.random(in: 0...64, using: &generator)
          }
        }
      }
      writer.begin()
      for topic in message.topics {
        writer.add(topic: Array(topic.topic.utf8), lastSequence: topic.lastSequence)
      }
      #expect(writer.bytes == message.bytes)
    }
  }

  private static func heartbeat(_ generator: inout SeededGenerator) -> WireHeartbeat {
    .with { message in
      message.topics = ["frame/cam/full/", "frame/cam/preview/", "event/cam/state/"].map { name in
        .with {
          $0.topic = name
          $0.lastSequence = generator.next() >> UInt64.random(in: 0...63, using: &generator)
        }
      }
    }
  }
}
