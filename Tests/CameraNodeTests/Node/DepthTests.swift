import CameraProtocol
import CaptureSynthetic
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Photos with the frames of a depth camera.
  struct DepthTests {
    private static let color = "cam=synthetic:320x240@30,format=MJPG,depth=tof"
    private static let depth = "tof=synthetic:160x120@17,format=Z16,phase=7ms"
    /// An interval of the depth camera, nanoseconds.
    private static let interval: Int64 = 1_000_000_000 / 17

    private func run(
      _ cameras: [String] = [color, depth], _ body: (TestClient) async throws -> Void
    ) async throws {
      try await TestNode.run(cameras) { test in
        try await test.client.letPass(frames: 10, of: "tof")
        try await body(test.client)
      }
    }

    /// Checks that the depth of a picture is what was asked for.
    private func expect(
      _ picture: WireCapturedPicture, id: RequestID,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let depth = picture.depth
      #expect(picture.hasDepth && depth.camera == "tof", sourceLocation: sourceLocation)
      #expect(
        depth.differenceNs
          == depth.resolved.timestamp.monotonicNs - picture.resolved.timestamp.monotonicNs,
        sourceLocation: sourceLocation)
      #expect(depth.resolved.offsetNs == depth.differenceNs, sourceLocation: sourceLocation)
      for (file, part) in [(depth.map, WireAssetPart.depth), (depth.matte, .matte)] {
        #expect(file.mediaType == "image/png", sourceLocation: sourceLocation)
        #expect(
          file.asset.part == part && file.asset.camera == "tof", sourceLocation: sourceLocation)
        #expect(file.asset.requestID == id.data, sourceLocation: sourceLocation)
        #expect((file.size.width, file.size.height) == (160, 120), sourceLocation: sourceLocation)
        #expect(
          file.asset.createdWallNs == depth.resolved.timestamp.wallNs,
          sourceLocation: sourceLocation)
      }
      #expect(
        picture.files.allSatisfy { $0.asset.part == .unspecified && $0.asset.camera == "cam" })
    }

    @Test func `The nearest frame of distances goes with each picture`() async throws {
      try await run { client in
        var random = SeededGenerator(seed: 17)
        var compared = 0
        for round in 0..<40 {
          let age = UInt64.random(in: 0...500_000_000, using: &random)
          let id = RequestID.random()
          let photo = try await client.photo(
            WireCaptureRequest.pair { request in
              switch round % 4 {
              case 0: request.pastNs = age
              case 1: request.next = .init()
              case 2: request.noOlderThanNs = age
              default: request.now = .init()
              }
            }, id: id)
          let picture = try #require(photo.result.pictures.first)
          try expect(picture, id: id)
          let difference = picture.depth.differenceNs.magnitude
          let moment = picture.resolved.timestamp.monotonicNs
          // The frames on both sides are farther away, unless the machine was too busy for one.
          for other in [moment - Self.interval, moment + Self.interval] {
            let request = WireCaptureRequest.inline {
              $0.camera = "tof"
              $0.atMonotonicNs = other
            }
            let reply = try await client.ask(.capture(request)).last?.wire
            // A busy machine has come too late for it.
            if reply?.error.code == .frameUnavailable { continue }
            guard case .capture(let result)? = reply?.body else { throw Unexpected(reply) }
            let found = result.resolved.timestamp.monotonicNs
            #expect((found - moment).magnitude >= difference)
            compared += 1
          }
          let losses = try await client.status(of: "tof").cameras[0].frames
          let lost = losses.lostByCamera + losses.skipped + losses.poolExhausted
          if lost == 0 { #expect(2 * difference <= Self.interval + 1) }
        }
        #expect(compared > 20)
      }
    }

    @Test func `The steps tell of the files of depth, and the library has them`() async throws {
      try await run { client in
        try await client.follow()
        let id = RequestID.random()
        let photo = try await client.photo(.pair(), id: id)
        #expect(photo.steps.first?.settings.depthCamera == "tof")
        let processed = photo.steps.filter { $0.step == .didProcess }
        #expect(Set(processed.map(\.part)) == [.unspecified, .depth, .matte])
        #expect(photo.steps.prefix(3).map(\.step) == [.willBegin, .willCapture, .didCapture])
        #expect(photo.steps.allSatisfy { $0.picture == 0 && $0.file == 0 })
        let picture = try #require(photo.result.pictures.first)
        for step in processed where step.part != .unspecified {
          #expect(step.resolved == picture.depth.resolved && step.mediaType == "image/png")
        }
        let assets = try await client.assets { $0.requestID = id.data }
        #expect(Set(assets.map(\.part)) == [.unspecified, .depth, .matte] && assets.count == 3)

        let done = try await client.event { event -> WireCaptureResult? in
          guard case .capture(let capture)? = event.body, capture.requestID == id.data,
            case .completed(let result)? = capture.body
          else { return nil }
          return result
        }
        // Who may see the camera need not be allowed to see its depth camera.
        #expect(done.pictures.map(\.hasDepth) == [false])
        #expect(done.resolved == photo.result.resolved && done.asset == photo.result.asset)
        let told = try await client.arrival { client -> [String: Set<WireAssetPart>]? in
          var told: [String: Set<WireAssetPart>] = [:]
          for event in client.events.compactMap(\.event) {
            guard case .capture(let capture)? = event.body,
              case .progress(let progress)? = capture.body, progress.step == .didProcess
            else { continue }
            told[event.camera, default: []].insert(progress.part)
          }
          return told["tof"]?.count == 2 ? told : nil
        }
        #expect(told == ["cam": [.unspecified], "tof": [.depth, .matte]])
      }
    }

    @Test func `Without a matte there is only the map, and the picture may be several files`()
      async throws
    {
      try await run { client in
        let photo = try await client.photo(
          .outputs([.raw, .jpeg]) {
            $0.camera = "cam"
            $0.depth = .init()
          })
        let picture = try #require(photo.result.pictures.first)
        #expect(picture.files.map(\.mediaType) == ["image/x-raw", "image/jpeg"])
        #expect(picture.depth.hasMap && !picture.depth.hasMatte)
        let places = photo.steps.filter { $0.step == .didProcess }.map {
          ["\($0.part)", "\($0.file)"]
        }
        #expect(Set(places) == [["unspecified", "1"], ["unspecified", "2"], ["depth", "0"]])
      }
    }

    @Test func `Each picture of a burst and of a bracket has its own depth`() async throws {
      try await run { client in
        for request in [
          WireCaptureRequest.pair { $0.burst.pictures = 12 },
          WireCaptureRequest.pair {
            $0.bracket.shots = [-1, 0, 1].map { step in .with { $0.ev = step } }
          },
        ] {
          let id = RequestID.random()
          let photo = try await client.photo(request, id: id)
          let count = request.hasBurst ? 12 : 3
          #expect(photo.result.pictures.count == count)
          for picture in photo.result.pictures { try expect(picture, id: id) }
          for part in [WireAssetPart.unspecified, .depth, .matte] {
            let steps = photo.steps.filter { $0.step == .didProcess && $0.part == part }
            #expect(steps.map(\.picture).sorted() == Array(1...UInt32(count)))
          }
          #expect(try await client.assets { $0.requestID = id.data }.count == 3 * count)
        }
      }
    }

    @Test func `Distances are turned with the picture, but not scaled`() async throws {
      try await run { client in
        let photo = try await client.photo(
          WireCaptureRequest.pair {
            $0.orientation.rotation = 90
            $0.dimensions = .with { ($0.width, $0.height) = (60, 80) }
          })
        let picture = try #require(photo.result.pictures.first)
        #expect((picture.files[0].size.width, picture.files[0].size.height) == (60, 80))
        for file in [picture.depth.map, picture.depth.matte] {
          #expect((file.size.width, file.size.height) == (120, 160))
        }
      }
    }

    private func idle(since frame: WireResolvedCapture, _ client: TestClient) async throws {
      let moment = frame.timestamp.monotonicNs
      try await client.state(of: "tof") { $0.state == .idle && $0.since.monotonicNs > moment }
    }

    @Test func `An idle depth camera is awake before the frame is chosen`() async throws {
      try await run([Self.color, Self.depth + ",idle=50ms"]) { client in
        try await client.follow()
        var last = try await client.photo(.inline { $0.camera = "tof" }).result.resolved
        for when in [WireCaptureRequest.OneOf_When.now(.init()), .next(.init())] {
          try await idle(since: last, client)
          let photo = try await client.photo(.pair { $0.when = when })
          let picture = try #require(photo.result.pictures.first)
          last = picture.depth.resolved
          #expect(picture.resolved.startNs > 0)
          #expect(picture.resolved.offsetNs >= Int64(picture.resolved.startNs))
          #expect(picture.depth.differenceNs.magnitude < UInt64(2 * Self.interval))
          try await idle(since: last, client)
          let bracket = try await client.photo(
            WireCaptureRequest.pair { $0.bracket.shots = [.with { $0.ev = 1 }] })
          let shot = try #require(bracket.result.pictures.first)
          #expect(shot.resolved.startNs > 0)
          last = shot.depth.resolved
          try await idle(since: last, client)
          let past = try await client.error(
            .capture(.pair { $0.pastNs = 50_000_000 }))
          #expect(past.code == .frameUnavailable && past.field == "capture.when")
          #expect(past.message.contains("tof"))
        }
      }
    }

    @Test
    func
      `A depth camera without a first frame gives its first to a photo of now, and none to one of the past`()
      async throws
    {
      try await run { client in
        _ = try await client.ask(.sessionStop(.with { $0.camera = "tof" }))
        try await stall(1, client)
        _ = try await client.ask(.sessionStart(.with { $0.camera = "tof" }))
        let ids = [RequestID.random(), .random()]
        try await client.send(.capture(.pair { $0.next = .init() }), id: ids[0])
        try await client.send(.capture(.pair { $0.pastNs = 50_000_000 }), id: ids[1])
        for id in ids {
          _ = try await client.progress(id) { body in
            body?.captureStep == .didCapture ? true : nil
          }
        }
        try await stall(0, client)
        guard case .capture(let photo)? = try await client.final(ids[0]) else {
          Issue.record("there is no photo of now")
          return
        }
        #expect(try #require(photo.pictures.first).depth.differenceNs > 0)
        guard case .error(let error)? = try await client.final(ids[1]) else {
          Issue.record("a frame of another moment was taken")
          return
        }
        #expect(error.code == .frameUnavailable)
      }
    }

    private func stall(_ value: Int64, _ client: TestClient) async throws {
      var request = WireControlsSetRequest.settings(["inject_stall": value])
      request.camera = "tof"
      _ = try await client.ask(.controlsSet(request))
    }

    @Test func `A moment before the ring of the depth camera is refused`() async throws {
      try await run([
        Self.color, "tof=synthetic:160x120@100,format=Z16",
      ]) { client in
        try await client.letPass(frames: 30, of: "cam")
        // On a busy machine the new ring may reach the moment, or the other one no longer.
        for attempt: UInt32 in 1... {
          // Its stream begins anew, so that its ring is short, and the other one's reaches farther.
          let restart = WireConfigureRequest.with {
            $0.camera = "tof"
            ($0.size.width, $0.size.height) = (attempt % 2 == 0 ? 160 : 320, 120)
          }
          _ = try await client.ask(.configure(restart))
          let newest = try await client.photo(.inline { $0.camera = "tof" }).result.resolved
          let moment = newest.timestamp.monotonicNs - 500_000_000
          let reply = try await client.ask(.capture(.pair { $0.atMonotonicNs = moment }))
            .last?.wire.body
          if case .error(let error)? = reply, error.message.contains("camera tof") {
            #expect(error.code == .frameUnavailable)
            break
          }
          try #require(attempt < 50, "\(String(describing: reply))")
        }
      }
    }
  }
}
