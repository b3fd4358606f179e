import Foundation
import OperatingSystem
import Testing

@testable import CameraProtocol

@Suite("Topics")
struct TopicTests {
  /// `Protocol/vectors/topics.json`.
  struct Vectors: Decodable {
    struct Valid: Decodable, Sendable {
      var text: String
      var kind: String
      var camera: String?
      var name: String?
    }

    var valid: [Valid]
    var invalid: [String]

    static func load() throws -> Vectors {
      try JSONDecoder().decode(Vectors.self, from: Vector.contents(of: "topics.json"))
    }
  }

  @Test("A topic is read and written as in the vector", arguments: try Vectors.load().valid)
  func readsAndWrites(_ vector: Vectors.Valid) throws {
    let topic = try #require(Topic(parsing: Array(vector.text.utf8)))
    #expect(topic.name == vector.text)
    switch topic {
    case .frame(let camera, let stream):
      #expect(vector.kind == "frame")
      #expect(vector.camera == camera)
      #expect(vector.name == stream.description)
    case .event(let camera, let kind):
      #expect(vector.kind == "event")
      #expect(vector.camera == camera)
      #expect(vector.name == kind.rawValue)
    case .heartbeat:
      #expect(vector.kind == "heartbeat")
    }
  }

  @Test("Bytes that are not a topic are refused", arguments: try Vectors.load().invalid)
  func refuses(_ hex: String) throws {
    #expect(Topic(parsing: try #require([UInt8](hexadecimal: hex))) == nil)
  }

  @Test("A prefix for events covers the camera's topics and no other camera's")
  func prefixes() {
    let mine = EventKind.allCases.map { Topic.event(camera: "front", kind: $0).name }
    let others = EventKind.allCases.map { Topic.event(camera: "front2", kind: $0).name }
    let prefix = Topic.eventPrefix(camera: "front")
    #expect(mine.allSatisfy { $0.hasPrefix(prefix) })
    #expect(others.allSatisfy { !$0.hasPrefix(prefix) })
    #expect((mine + others).allSatisfy { $0.hasPrefix(Topic.eventPrefix(camera: nil)) })
  }

  @Test(
    "A camera's name has 1 to 32 letters, digits, - and _",
    arguments: [
      ("a", true), ("front-left_2", true), (String(repeating: "x", count: 32), true),
      ("", false), (String(repeating: "x", count: 33), false), ("front left", false),
      ("front/", false), ("Küche", false), ("a\0", false), (".", false), ("@[`{", false),
    ])
  func cameraNames(_ name: String, _ isValid: Bool) {
    #expect(CameraName.isValid(name) == isValid)
  }

  @Test(
    "A stream's size has only one spelling",
    arguments: [
      ("16x16", StreamName.size(width: 16, height: 16)),
      ("8192x8192", .size(width: 8192, height: 8192)),
      ("8193x16", nil), ("15x16", nil), ("016x16", nil), ("16x", nil), ("x16", nil), ("16", nil),
      ("16x16x16", nil), ("-16x16", nil), ("16 x16", nil), ("16X16", nil), ("٣٢x١٦", nil),
      ("99999999999999999999x16", nil),
    ])
  func sizes(_ text: String, _ stream: StreamName?) {
    #expect(StreamName(text) == stream)
  }
}
