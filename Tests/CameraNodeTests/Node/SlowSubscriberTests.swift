import CameraProtocol
import SwiftProtobuf
import Testing

@testable import CameraNode

extension NodeTests {
  /// Subscribers that stop reading.
  struct SlowSubscriberTests {
    private let topic = "frame/cam/raw/"

    private func dropped(_ camera: WireCameraStatus) -> UInt64 {
      camera.streams.reduce(0) { $0 + $1.droppedSlow }
    }

    @Test func `Only the stopped subscriber loses frames, and they are counted`()
      async throws
    {
      // Frames are large, so that the stopped subscriber is full soon, and rare, so that the other
      // one keeps up on a busy machine.
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

    @Test func `Any number of stopped subscribers leaves the camera enough memory`() async throws {
      try await TestNode.run(["cam=synthetic:640x480@30,format=YUYV"]) { test in
        let client = test.client
        try await StoppedPeers.with { stopped in
          for number in 1...8 {
            // One after the other, so that each holds different frames.
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

    @Test func `Events that do not fit into a monitor's queue are counted`() async throws {
      func configure(_ configuration: inout NodeConfiguration) {
        configuration.limits.eventQueueLength = 10
        // Over ipc the system buffers little, so the node's own queue fills soon.
        configuration.events = "ipc://\(configuration.library).events"
      }
      try await TestNode.run(configure: configure) { test in
        let client = test.client
        #expect(try await client.status().eventsDropped == 0)
        try await StoppedPeers.with { stopped in
          try await stopped.subscribe("event/", at: test.node.endpoints.events)
          var value: Int64 = 0
          // Each setting changes the value, which publishes an event.
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
