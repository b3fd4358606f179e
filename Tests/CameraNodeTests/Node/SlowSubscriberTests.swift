import CameraProtocol
import SwiftProtobuf
import Testing

@testable import CameraNode

extension NodeTests {
  /// Subscribers that stand still.
  struct SlowSubscriberTests {
    private let topic = "frame/cam/raw/"

    private func dropped(_ camera: WireCameraStatus) -> UInt64 {
      camera.streams.reduce(0) { $0 + $1.droppedSlow }
    }

    @Test func `A subscriber that stands still loses frames alone, and that is counted`()
      async throws
    {
      // Large and rare: who stands still is full soon, and who does not may take its time on a busy machine.
      try await TestNode.run(["cam=synthetic:640x480@10,format=YUYV"]) { test in
        let client = test.client
        await client.subscribe(frames: topic)
        try await StoppedPeers.with { stopped in
          try await stopped.subscribe(topic, at: test.node.endpoints.frames)
          let camera = try await client.camera { dropped($0) > 0 }
          #expect(camera.streams.map(\.subscribers) == [2])
          #expect(dropped(camera) == 1, "libzmq passes over the one whose queue is full")
        }
        try await client.letPass(frames: 5)
        let numbers = await client.frames.filter { $0.topic == topic }.map(\.header.sequence)
        let first = try #require(numbers.first)
        #expect(numbers == Array(first..<first + UInt64(numbers.count)))
      }
    }

    @Test func `However many stand still, the camera lacks no memory`() async throws {
      try await TestNode.run(["cam=synthetic:640x480@30,format=YUYV"]) { test in
        let client = test.client
        try await StoppedPeers.with { stopped in
          for number in 1...8 {
            // One after the other, for each to hold other frames.
            try await stopped.subscribe(topic, at: test.node.endpoints.frames)
            _ = try await client.camera { dropped($0) >= number }
          }
          try await client.letPass(frames: 40)
          let camera = try await client.camera()
          #expect(camera.frames.poolExhausted == 0)
          #expect(camera.ringDurationNs > 900_000_000, "the memory of the past is whole")
        }
      }
    }

    @Test func `Events that a monitor has no room for are counted`() async throws {
      func configure(_ configuration: inout NodeConfiguration) {
        configuration.limits.eventQueueLength = 10
        // Here the system takes no megabytes before the node's own queue fills.
        configuration.events = "ipc://\(configuration.library).events"
      }
      try await TestNode.run(configure: configure) { test in
        let client = test.client
        #expect(try await client.status().eventsDropped == 0)
        try await StoppedPeers.with { stopped in
          try await stopped.subscribe("event/", at: test.node.endpoints.events)
          var value: Int64 = 0
          // Each changes the value, and an event tells of it.
          while try await client.status().eventsDropped == 0 {
            for _ in 0..<100 {
              value += 1
              try await client.set(["brightness": value % 100])
            }
          }
        }
      }
    }
  }
}
