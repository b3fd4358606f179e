import CameraProtocol
import SwiftProtobuf
import Testing

extension NodeTests {
  /// How streams are sent, as `configure` says.
  struct StreamSettingsTests {
    private func settings(
      _ stream: String, rate: Double? = nil, quality: UInt32? = nil
    ) -> WireStreamSettings {
      .with {
        $0.stream = stream
        if let rate { $0.maximumRate = rate }
        if let quality { $0.quality = quality }
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
      _ streams: [WireStreamSettings], _ client: TestClient
    ) async throws -> WireCameraStatus {
      guard case .configure(let reply)? = try await client.ask(configure(streams)).last?.wire.body
      else { throw Unexpected("not configured") }
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
          configure([settings("preview", rate: 5), settings("full", quality: 10)]) {
            $0.settings = [.with { ($0.id, $0.value.integer) = ("none", 1) }]
          })
        #expect(error.code == .noSuchControl)
        #expect(try await client.camera().configuration == before.configuration)
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
