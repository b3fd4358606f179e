import CameraProtocol
import SwiftProtobuf
import Testing

extension NodeTests {
  struct SubjectAreaTests {
    private static let black: Int64 = 2
    private static let white: Int64 = 3

    private func configure(_ part: Double, _ client: TestClient) async throws -> WireCameraStatus {
      let reply = try await client.ask(.configure(.with { $0.subjectArea = part })).last
      guard case .configure(let configured)? = reply?.wire.body else { throw Unexpected(reply) }
      return configured.camera
    }

    private func changes(_ client: TestClient) async -> [WireSubjectAreaEvent] {
      await client.events.filter { $0.topic == "event/cam/subject_area/" }
        .compactMap { $0.event?.subjectArea }
    }

    @Test(arguments: ["YUYV", "MJPG"])
    func `A change of the scene is one event, and moving parts are none`(
      _ format: String
    ) async throws {
      try await TestNode.run(["cam=synthetic:320x240@60,format=\(format)"]) { test in
        let client = test.client
        try await client.follow()
        #expect(try await configure(0.3, client).subjectAreaThreshold == 0.3)
        try await client.state { $0.subjectAreaThreshold == 0.3 }
        // The first scenes may pass before the node has looked twice at one.
        var scenes = 0
        while await changes(client).isEmpty {
          scenes += 1
          try await client.set(["test_pattern": scenes % 2 == 0 ? Self.black : Self.white])
          try await client.letPass(frames: 60)
        }
        // More than a second, in which the strip and the marker move.
        try await client.letPass(frames: 90)
        let first = await changes(client)
        #expect(first.count == 1)
        let change = try #require(first.first)
        #expect(change.threshold == 0.3 && change.change > 0.5 && change.frameSequence > 0)
        try await client.set(["test_pattern": scenes % 2 == 0 ? Self.white : Self.black])
        _ = try await client.arrival { client in
          client.events.count { $0.topic == "event/cam/subject_area/" } > 1 ? true : nil
        }
        try await client.letPass(frames: 30)
        #expect(await changes(client).count == 2)
      }
    }

    @Test func `Nothing is watched unless it is asked for`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        #expect(try await configure(0.3, client).subjectAreaThreshold == 0.3)
        #expect(try await configure(0, client).subjectAreaThreshold == 0)
        try await client.set(["test_pattern": Self.white])
        try await client.letPass(frames: 60)
        try await client.set(["test_pattern": Self.black])
        try await client.letPass(frames: 60)
        #expect(await changes(client).isEmpty)
        for part in [-0.1, 1.1, .nan, .infinity] {
          let error = try await client.error(.configure(.with { $0.subjectArea = part }))
          #expect(error.code == .invalidArgument && error.field == "configure.subject_area")
        }
      }
    }
  }
}
