import CameraProtocol
import SwiftProtobuf
import Testing

@testable import CameraNode

extension NodeTests {
  /// How streams are sent, as `configure` says.
  struct StreamSettingsTests {
    private func settings(
      _ stream: String, rate: Double? = nil, quality: UInt32? = nil, enabled: Bool? = nil
    ) -> WireStreamSettings {
      .with {
        $0.stream = stream
        if let rate { $0.maximumRate = rate }
        if let quality { $0.quality = quality }
        if let enabled { $0.enabled = enabled }
      }
    }

    private func configure(
      _ streams: [WireStreamSettings], _ edit: (inout WireConfigureRequest) -> Void = { _ in }
    ) -> WireRequest.OneOf_Body {
      .configure(
        .with {
          $0.streams = streams
          edit(&$0)
        })
    }

    private func configured(
      _ streams: [WireStreamSettings], _ client: TestClient,
      _ edit: (inout WireConfigureRequest) -> Void = { _ in }
    ) async throws -> WireCameraStatus {
      let answer = try await client.ask(configure(streams, edit)).last?.wire.body
      guard case .configure(let reply)? = answer else { throw Unexpected(answer) }
      return reply.camera
    }

    @Test func `A stream has its rate and its quality, and the others are as before`() async throws
    {
      try await TestNode.run(["cam=synthetic:320x240@60,format=MJPG"]) { test in
        let client = test.client
        for stream in ["full", "raw", "100x100"] {
          await client.subscribe(frames: "frame/cam/\(stream)/")
        }
        // The last five frames of a stream are so many numbers apart.
        func arrives(_ stream: String, apart distance: UInt64) async throws {
          _ = try await client.arrival { client -> Bool? in
            let numbers = client.frames.filter { $0.topic == "frame/cam/\(stream)/" }
              .map(\.header.frame.frameSequence).suffix(5)
            let isSo = zip(numbers, numbers.dropFirst()).allSatisfy { $1 - $0 == distance }
            return numbers.count == 5 && isSo ? true : nil
          }
        }
        try await arrives("full", apart: 1)
        let own = try await client.camera().streams.first { $0.name == "full" }
        #expect(own?.encoded == 0, "the camera's own JPEGs")
        let status = try await configured(
          [settings("full", rate: 20, quality: 30), settings("raw", rate: 15)], client)
        #expect(status.configuration.streams.map(\.stream) == ["full", "raw"])
        try await arrives("full", apart: 3)
        try await arrives("raw", apart: 4)
        try await arrives("100x100", apart: 1)
        let encoded = try await client.camera().streams.first { $0.name == "full" }
        #expect(try #require(encoded).encoded > 0)
        let after = try await configured([settings("full", rate: 0, quality: 0)], client)
        #expect(after.configuration.streams.map(\.stream) == ["raw"])
        try await arrives("full", apart: 1)
      }
    }

    @Test func `A change that fails leaves the streams as they were`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let before = try await configured([settings("preview", quality: 40)], client)
        let error = try await client.error(
          configure([
            settings("preview", rate: 5), settings("full", quality: 10, enabled: false),
          ]) {
            $0.settings = [.with { ($0.id, $0.value.integer) = ("none", 1) }]
          })
        #expect(error.code == .noSuchControl)
        #expect(try await client.camera().configuration == before.configuration)
      }
    }

    /// Waits for a frame of a stream that the node published after this moment.
    private func arrival(
      of stream: String, since mark: Int, _ client: TestClient
    ) async throws -> Publication {
      try await client.arrival { client in
        client.frames.dropFirst(mark).first { $0.topic == "frame/cam/\(stream)/" }
      }
    }

    @Test(arguments: ["full", "raw", "100x100"])
    func `A stream that is switched off has its subscribers and a conflict until it is on again`(
      _ stream: String
    ) async throws {
      try await TestNode.run { test in
        let client = test.client
        for stream in ["preview", stream] {
          await client.subscribe(frames: "frame/cam/\(stream)/")
          _ = try await arrival(of: stream, since: 0, client)
        }
        let off = try await configured([settings(stream, quality: 0, enabled: false)], client)
        #expect(off.configuration.streams == [settings(stream, enabled: false)])
        let status = try #require(off.streams.first { $0.name == stream })
        #expect(status.subscribers == 1 && status.error.code == .conflict)
        #expect(!off.streams.contains { $0.name == "preview" && $0.hasError })

        let mark = await client.frames.count
        try await client.letPass(frames: 10)
        _ = try await arrival(of: "preview", since: mark + 3, client)
        let after = try await client.camera().streams.first { $0.name == stream }
        #expect(after?.published == status.published && after?.error.code == .conflict)

        let again = try await configured([settings(stream, enabled: true)], client)
        #expect(again.configuration.streams.isEmpty && !again.streams.contains { $0.hasError })
        let moment = await client.frames.count
        _ = try await arrival(of: stream, since: moment, client)
      }
    }

    @Test func `A subscriber learns at once that a stream is switched off`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        _ = try await configured([settings("full", enabled: false)], client)
        let mark = await client.eventCount
        await client.subscribe(frames: "frame/cam/full/")
        let status = try await client.state(from: mark) { !$0.streams.isEmpty }
        #expect(status.streams.map(\.name) == ["full"])
        #expect(status.streams.first?.error.code == .conflict)
      }
    }

    @Test func `A stream that is switched off does not keep its camera open`() async throws {
      try await TestNode.run(["cam=synthetic:320x240@60,format=YUYV,idle=100ms"]) { test in
        let client = test.client
        try await client.follow()
        await client.subscribe(frames: "frame/cam/raw/")
        _ = try await arrival(of: "raw", since: 0, client)
        let mark = await client.eventCount
        _ = try await configured([settings("raw", enabled: false)], client)
        try await client.state(from: mark) { $0.state == .idle }
        let frames = await client.frames.count
        _ = try await configured([settings("raw", enabled: true)], client)
        _ = try await arrival(of: "raw", since: frames, client)
      }
    }

    @Test func `A movie goes on while the stream of its pictures is switched off`() async throws {
      try await TestNode.run { test in
        let client = test.client
        await client.subscribe(frames: "frame/cam/full/")
        _ = try await client.startRecording()
        try await client.letRecord(frames: 5)
        _ = try await configured([settings("full", enabled: false)], client)
        let frames = try await client.camera().recording.frames
        try await client.letRecord(frames: Int(frames) + 10)
        #expect(try await client.stopRecording().frames >= frames + 10)
      }
    }

    @Test func `Another input has the same settings of streams, and as many at most`()
      async throws
    {
      let machine = try TestMachine(["a"])
      try await TestNode.run(configure: { $0.finder = machine }) { test in
        let client = test.client
        for stream in ["full", "raw"] { await client.subscribe(frames: "frame/cam/\(stream)/") }
        let wanted = [
          settings("full", rate: 5, enabled: false), settings("preview", quality: 40),
        ]
        let before = try await configured(wanted, client)
        #expect(before.configuration.streams == wanted)

        let many = (16..<48).map { settings("\($0)x\($0)", rate: 1) }
        let error = try await client.error(configure(many) { $0.input = "a" })
        #expect(error.code == .invalidArgument && error.field == "configure.streams")
        #expect(try await client.camera().configuration.streams == wanted)

        let after = try await configured([settings("100x100", quality: 20)], client) {
          $0.input = "a"
        }
        #expect(after.device.identity == "a")
        #expect(after.configuration.streams == [settings("100x100", quality: 20)] + wanted)
        let mark = await client.frames.count
        let frame = try await client.arrival { client in
          client.frames.dropFirst(mark).lazy.map(\.header.frame).first { $0.size.width == 160 }
        }
        #expect(frame.pixelFormat == "YUYV")
        let full = try await client.camera().streams.first { $0.name == "full" }
        #expect(full?.subscribers == 1 && full?.error.code == .conflict)
      }
    }

    @Test func `What no stream can be is refused with its field`() async throws {
      try await TestNode.run { test in
        let client = test.client
        for (streams, field) in [
          ([settings("side")], "configure.streams[0].stream"),
          ([settings("full"), settings("full")], "configure.streams[1].stream"),
          ([settings("full", rate: -1)], "configure.streams[0].maximum_rate"),
          ([settings("full", rate: .nan)], "configure.streams[0].maximum_rate"),
          ([settings("full", rate: 1001)], "configure.streams[0].maximum_rate"),
          ([settings("preview"), settings("full", quality: 101)], "configure.streams[1].quality"),
          ([settings("raw", quality: 50)], "configure.streams[0].quality"),
          ((16...48).map { settings("\($0)x\($0)", rate: 1) }, "configure.streams"),
        ] {
          let error = try await client.error(configure(streams))
          #expect(error.code == .invalidArgument && error.field == field)
        }
        let all = (16..<48).map { settings("\($0)x\($0)", rate: 1) }
        #expect(try await configured(all, client).configuration.streams.count == 32)
        let more = try await client.error(configure([settings("full", rate: 1)]))
        #expect(more.code == .invalidArgument && more.field == "configure.streams")
      }
    }
  }
}
