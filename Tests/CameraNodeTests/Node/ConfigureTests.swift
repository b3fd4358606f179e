import CameraProtocol
import SwiftProtobuf
import Testing

extension NodeTests {
  struct ConfigureTests {
    private func request(
      _ edit: (inout WireConfigureRequest) -> Void
    ) -> WireRequest.OneOf_Body { .configure(.with { edit(&$0) }) }

    @Test func `Format and controls change together, and everybody sees it`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let mark = await client.eventCount
        guard
          case .configure(let reply) = try await client.ask(
            request {
              $0.preset = .hd1280X720
              $0.minimumRate = 10
              $0.maximumRate = 30
              $0.settings = [
                .with {
                  $0.id = "brightness"
                  $0.value.integer = 7
                }
              ]
            }
          ).last?.wire.body
        else { throw Unexpected("not configured") }
        #expect(reply.camera.format.size.width == 1280 && reply.camera.format.frameRate == 30)
        #expect(reply.controls.map(\.value.integer) == [7])
        try await client.state(from: mark) { $0.format.size.width == 1280 }
      }
    }

    @Test func `The error names the field of the request`() async throws {
      try await TestNode.run { test in
        for (edit, field) in [
          ({ $0.pixelFormat = "XXXX" }, "configure.pixel_format"),
          ({ $0.pixelFormat = "H264" }, "configure.pixel_format"),
          (
            {
              $0.size.width = 1; $0.size.height = 1
            }, "configure.size"
          ),
          (
            {
              $0.minimumRate = 999; $0.maximumRate = 999
            }, "configure.maximum_rate"
          ),
          (
            {
              $0.minimumRate = 900; $0.maximumRate = 999
            }, "configure.maximum_rate"
          ),
        ] as [((inout WireConfigureRequest) -> Void, String)] {
          let error = try await test.client.error(request(edit))
          #expect(error.code == .unsupportedFormat)
          #expect(error.field == field)
        }
      }
    }

    @Test func `A recording ends only if it may`() async throws {
      try await TestNode.run { test in
        let client = test.client
        _ = try await client.ask(.recordStart(WireRecordStartRequest()))
        let size = { (request: inout WireConfigureRequest) in
          request.size.width = 640
          request.size.height = 480
        }
        let error = try await client.error(request(size))
        #expect(error.code == .conflict && error.field == "configure.end_recording")
        let done = try await client.ask(
          request {
            size(&$0)
            $0.endRecording = true
          })
        guard case .configure(let reply)? = done.last?.wire.body else {
          throw Unexpected("not done")
        }
        #expect(!reply.camera.hasRecording && reply.camera.format.size.width == 640)
      }
    }
  }
}
