import CameraNode
import CameraProtocol
import EventLoop
import Imaging
import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing

extension NodeTests {
  struct StatusTests {
    @Test func `The snapshot has the node's name, its endpoints and its camera's state`()
      async throws
    {
      let before = MonotonicTime.now.nanoseconds
      try await TestNode.run { test in
        try await test.client.letPass(frames: 1)
        let replies = try await test.client.ask(.status(WireStatusRequest()))
        let reply = try #require(replies.first?.wire)
        #expect(replies.count == 1)
        #expect(reply.final)
        #expect(reply.index == 1)
        #expect(reply.epoch.count == Epoch.byteCount)
        let status = reply.status
        #expect(status.nodeName == "test")
        #expect(status.version == Release.version)
        #expect(status.eventsEndpoint == test.node.endpoints.events)
        #expect(status.framesEndpoint == test.node.endpoints.frames)
        #expect(status.library.folder == test.library)
        #expect(status.library.freeBytes > 0)
        #expect(status.library.reserveBytes == DiskReserve.byteCount)
        #expect(status.loops.map(\.name) == ["control", "frames"])
        let age = UInt64(MonotonicTime.now.nanoseconds - before)
        #expect(status.loops.allSatisfy { $0.longestTurnNs > 0 })
        // The control thread is shared with other tests' nodes, and may be older than this one.
        #expect(status.loops.last?.longestTurnNs ?? age < age)
        #expect(before...MonotonicTime.now.nanoseconds ~= status.startedMonotonicNs)
        #expect(status.startedMonotonicNs...MonotonicTime.now.nanoseconds ~= status.now.monotonicNs)
        #expect((status.malformedRequests, status.busyReplies) == (0, 0))

        let camera = try #require(status.cameras.first)
        #expect(status.cameras.count == 1)
        #expect(camera.name == "cam")
        #expect(camera.device.driver == "synthetic")
        #expect(camera.state == .running)
        #expect(camera.readiness == .ready)
        #expect(camera.format.pixelFormat == "YUYV")
        #expect((camera.format.size.width, camera.format.size.height) == (320, 240))
        #expect(camera.format.frameRate == 60)
        #expect(camera.frames.delivered > 0)
        #expect(!camera.hasRecording)
        #expect(!camera.hasError)
        #expect(camera.since.monotonicNs >= status.startedMonotonicNs)
      }
    }

    @Test func `Endpoints have their wildcards filled in`() async throws {
      try await TestNode.run { test in
        let endpoints = test.node.endpoints
        for endpoint in [endpoints.control, endpoints.events, endpoints.frames] {
          let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
          #expect(endpoint == "tcp://127.0.0.1:\(port)")
          #expect(port > 0)
        }
      }
    }

    @Test func `A node that also listens over ipc answers, publishes and announces itself there`()
      async throws
    {
      let folder = try TemporaryFolder()
      let ipc = NodeEndpoints(ipcFolder: "\(folder.path)/bus")
      try await TestNode.run(configure: { $0.ipcFolder = "\(folder.path)/bus" }) { test in
        let status = try await test.client.status()
        #expect(status.eventsIpcEndpoint == ipc.events)
        #expect(status.framesIpcEndpoint == ipc.frames)
        #expect(status.eventsEndpoint == test.node.endpoints.events)
        try await TestClient.with(
          control: ipc.control, events: ipc.events, frames: ipc.frames
        ) { near in
          #expect(try await near.status().nodeName == status.nodeName)
          try await near.follow()
          await near.subscribe(frames: "frame/cam/raw/")
          _ = try await near.arrival { $0.frames.first { $0.topic == "frame/cam/raw/" } }
        }
      }
    }

    @Test func `A node has several cameras, each by its name`() async throws {
      let cameras = [
        "left=synthetic:320x240@60,format=GREY", "right=synthetic:160x120@60,format=MJPG",
      ]
      try await TestNode.run(cameras) { test in
        let client = test.client
        #expect(try await client.status().cameras.map(\.name) == ["left", "right"])
        #expect(try await client.status(of: "right").cameras.map(\.name) == ["right"])
        for (name, width) in [("left", 320), ("right", 160)] {
          let photo = try await client.photo(.inline { $0.camera = name })
          #expect(try DecodedPhoto(#require(photo.jpeg)).size.width == width)
        }
        _ = try await client.ask(.sessionStop(.with { $0.camera = "left" }))
        #expect(try await client.status().cameras.map(\.state) == [.stopped, .running])
      }
    }

    @Test func `The ring reaches nowhere before the first frame, and farther with each frame`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        _ = try await client.ask(.sessionStop(.init()))
        #expect(try await client.camera().ringDurationNs == 0)
        try await client.set(["inject_stall": 1])
        _ = try await client.ask(.sessionStart(.init()))
        #expect(try await client.camera().ringDurationNs == 0)
        try await client.set(["inject_stall": 0])
        let early = try await client.camera { $0.ringDurationNs > 0 }.ringDurationNs
        let later = try await client.camera { $0.ringDurationNs > early + 100_000_000 }
        #expect(later.ringDurationNs < 2_000_000_000)
      }
    }

    @Test func `An unnamed or unknown camera is an error that lists the existing ones`()
      async throws
    {
      try await TestNode.run([TestNode.camera, "two=synthetic:160x120@30,format=GREY"]) { test in
        for name in ["", "three"] {
          let error = try await test.client.error(.capture(.inline { $0.camera = name }))
          #expect(
            error.code == .noSuchCamera
              && error.reason == (name.isEmpty ? .cameraNotNamed : .unspecified))
          #expect(error.field == "capture.camera")
          #expect(error.message.contains("cam, two"))
        }
      }
    }
  }
}
