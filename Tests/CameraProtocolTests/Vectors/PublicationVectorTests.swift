import OperatingSystem
import SwiftProtobuf
import Testing

@testable import CameraProtocol

@Suite("Golden publications")
struct PublicationVectorTests {
  @Test(
    "A publication's bytes have the meaning in the vector",
    arguments: try Vector.all(in: "publications.json"))
  func reads(_ vector: Vector) throws {
    let publication = try Publication(vector.parts)
    let payload = vector.parts[2]
    #expect(publication.topic.name == (try vector.text("topic")))
    let header = try #require(try vector.message("header", as: WireHeader.self))
    #expect(publication.header == PublicationHeader(header))
    switch publication.topic {
    case .event:
      let event = try Framing.decode(WireEvent.self, from: payload)
      #expect(event == (try vector.message("event", as: WireEvent.self)))
    case .heartbeat:
      let heartbeat = try WireHeartbeat(serializedBytes: payload)
      #expect(heartbeat == (try vector.message("heartbeat", as: WireHeartbeat.self)))
      #expect(try HeartbeatReader.topics(payload) == heartbeat.topics)
    case .frame:
      #expect(payload == (try vector.frame))
    }
  }

  @Test(
    "A publication is written with the bytes in the vector",
    arguments: try Vector.all(in: "publications.json"))
  func writes(_ vector: Vector) throws {
    let topic = try vector.topic
    let header = try #require(try vector.message("header", as: WireHeader.self))
    var writer = HeaderWriter()
    writer.write(try #require(PublicationHeader(header)))
    let payload =
      try vector.message("event", as: WireEvent.self)?.bytes
      ?? vector.message("heartbeat", as: WireHeartbeat.self)?.bytes
      ?? vector.frame
    var expected = vector.parts
    expected[1].removeLast(vector.unknown.count)
    #expect([Array(topic.name.utf8), writer.bytes.copy, try #require(payload)] == expected)
  }

  @Test("The vectors include every kind of event")
  func coversEveryKind() throws {
    let kinds = try Vector.all(in: "publications.json").compactMap { vector in
      if case .event(_, let kind) = try vector.topic { kind } else { nil }
    }
    #expect(Set(kinds) == Set(EventKind.allCases))
  }
}

extension Vector {
  fileprivate var topic: Topic {
    get throws {
      let name = try #require(try text("topic"))
      return try #require(Topic(parsing: Array(name.utf8)))
    }
  }

  fileprivate var frame: [UInt8]? {
    get throws { try text("frame").flatMap([UInt8].init(hexadecimal:)) }
  }
}
