import CameraProtocol
import Imaging
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

    @Test func `A running session changes its format and keeps what the request does not name`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 1)
        let mark = await client.eventCount
        let reply = try await client.ask(request { ($0.size.width, $0.size.height) = (640, 480) })
        let changed = reply.last?.wire.configure.camera.format
        #expect(changed?.size.width == 640)
        #expect(changed?.pixelFormat == "YUYV" && changed?.frameRate == 60)
        try await client.state(from: mark) { $0.state == .starting }
        try await client.state(from: mark) { $0.readiness == .ready && $0.format.size.width == 640 }
        let photo = try await client.photo()
        #expect(try DecodedPhoto(#require(photo.jpeg)).size.width == 640)
      }
    }

    @Test func `An impossible format leaves the camera running as it was`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let error = try await client.error(
          request { ($0.size.width, $0.size.height) = (16_384, 16_384) })
        #expect(error.code == .unsupportedFormat)
        #expect(error.message.contains("4096x2304"), "what would do")
        let photo = try await client.photo()
        #expect(try DecodedPhoto(#require(photo.jpeg)).size.width == 320)
        #expect(try await client.camera().state == .running)
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

    @Test func `A size that the camera does not list has the rates that were asked for`()
      async throws
    {
      try await TestNode.run(["cam=synthetic:320x240@30,format=YUYV"]) { test in
        let reply = try await test.client.ask(
          request {
            ($0.size.width, $0.size.height) = (162, 122)
            ($0.minimumRate, $0.maximumRate) = (15, 20)
          })
        guard case .configure(let done)? = reply.last?.wire.body else {
          throw Unexpected("not configured")
        }
        #expect(done.camera.format.size.width == 162 && done.camera.format.frameRate == 20)
        for rates: (Double, Double) in [
          (0, 0.0001), (1e-9, 1e-9), (Double.leastNonzeroMagnitude, 10), (0.0009, 10),
        ] {
          let error = try await test.client.error(
            request { ($0.minimumRate, $0.maximumRate) = rates })
          #expect(error.code == .invalidArgument && error.field.hasSuffix("_rate"))
        }
      }
    }

    @Test func `Control characters of a request are not repeated as they are`() async throws {
      try await TestNode.run { test in
        for body in [
          request { $0.pixelFormat = "\u{1B}[2J" },
          .controlsGet(.with { $0.ids = ["\u{1B}[2J"] }),
        ] as [WireRequest.OneOf_Body] {
          let error = try await test.client.error(body)
          #expect(error.message.contains("\\u{1B}[2J") && !error.message.contains("\u{1B}"))
          #expect(!error.field.contains("\u{1B}"))
        }
      }
    }

    @Test func `Streams, photos and assets have the size of the turned picture`() async throws {
      try await TestNode.run(["cam=synthetic:320x240@60,format=YUYV"]) { test in
        let client = test.client
        try await client.follow()
        await client.subscribe(frames: "frame/cam/full/")
        await client.subscribe(frames: "frame/cam/100x100/")
        _ = try await client.arrival { $0.frames.first { $0.header.frame.size.width == 320 } }
        let encoded = try await client.camera().streams.map(\.encoded)
        let mark = await client.eventCount
        _ = try await client.ask(
          request {
            $0.preview.rotation = 90
            $0.capture.rotation = 270
            $0.capture.mirrored = true
          })
        try await client.state(from: mark) {
          $0.configuration.preview.rotation == 90 && $0.configuration.capture.mirrored
        }
        for (width, height) in [(UInt32(240), UInt32(320)), (74, 100)] {
          _ = try await client.arrival {
            $0.frames.first {
              let frame = $0.header.frame
              return frame.size.width == width && frame.size.height == height
                && frame.orientation.rotation == 90 && !frame.orientation.mirrored
            }
          }
        }
        let streams = try await client.camera().streams
        #expect(zip(streams.map(\.encoded), encoded).allSatisfy { $0 >= $1 }, "they go on")
        guard
          case .capture(let photo)? = try await client.ask(.capture(WireCaptureRequest())).last?
            .wire.body
        else { throw Unexpected("no photo") }
        #expect(photo.resolved.size.width == 240 && photo.asset.size.height == 320)
        #expect(photo.resolved.orientation.rotation == 270 && photo.resolved.orientation.mirrored)
        // What is not named stays.
        _ = try await client.ask(request { $0.capture.rotation = 0 })
        let capture = try await client.camera().configuration.capture
        #expect(capture.rotation == 0 && capture.mirrored)
      }
    }

    @Test func `A mode stands for a preset, and a rate for thinned frames`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let first = try await client.camera()
        #expect(first.configuration.mode == .photo && first.configuration.preset == .inputPriority)
        _ = try await client.ask(request { $0.mode = .video })
        let video = try await client.camera()
        #expect(video.configuration.mode == .video && video.configuration.preset == .high)
        #expect(video.format.frameRate >= 24 && video.format.size.width > first.format.size.width)
        _ = try await client.ask(
          request {
            $0.minimumRate = 1
            $0.maximumRate = 7
          })
        let thinned = try await client.camera()
        #expect(thinned.format.frameRate == 7)
        #expect(thinned.format.deviceFrameRate == video.format.deviceFrameRate)
        // The camera did not start again.
        #expect(thinned.since.monotonicNs == video.since.monotonicNs)
        #expect(thinned.configuration.maximumRate == 7 && thinned.configuration.preset == .high)
        _ = try await client.ask(request { $0.preset = .high })
        let whole = try await client.camera()
        #expect(whole.format == video.format && whole.configuration.maximumRate == 0)
      }
    }

    @Test func `A recording goes on at a lower rate, and ends when its pictures are turned`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording()
        _ = try await client.ask(
          request {
            $0.minimumRate = 1
            $0.maximumRate = 20
            $0.preview.rotation = 180
          })
        try await client.letRecord(frames: 5)
        let error = try await client.error(request { $0.capture.rotation = 90 })
        #expect(error.code == .conflict && error.field == "configure.end_recording")
        #expect(try await client.camera().recording.requestID == id.data)
        _ = try await client.ask(
          request {
            $0.capture.rotation = 90
            $0.endRecording = true
          })
        let movie = try await client.finishedRecording(id)
        #expect(movie.reason == .stopped && movie.frames > 0)
        #expect(movie.asset.size.width > movie.asset.size.height)
        _ = try await client.startRecording()
        try await client.letRecord(frames: 2)
        let turned = try await client.stopRecording()
        #expect(turned.asset.size.width == movie.asset.size.height)
      }
    }
  }
}
