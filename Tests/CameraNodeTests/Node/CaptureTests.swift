import CameraProtocol
import CaptureSynthetic
import EventLoop
import Foundation
import Imaging
import OperatingSystem
import SwiftProtobuf
import Testing

extension NodeTests {
  struct CaptureTests {
    /// Every way to state a photo's time, with the moment it means.
    enum When: CaseIterable {
      case now, next, future, past, wallClock, recent

      func set(_ request: inout WireCaptureRequest, _ time: WireTimestamp) {
        switch self {
        case .now: request.now = .init()
        case .next: request.next = .init()
        case .future: request.atMonotonicNs = time.monotonicNs + 100_000_000
        case .past: request.pastNs = 100_000_000
        case .wallClock: request.atWallNs = time.wallNs - 50_000_000
        case .recent: request.noOlderThanNs = 10_000_000_000
        }
      }
    }

    private static let interval: Int64 = 16_666_667

    @Test(arguments: When.allCases, ["YUYV", "MJPG"])
    func `A photo is the frame that its answer names, at the requested time`(
      when: When, format: String
    ) async throws {
      try await TestNode.run(["cam=synthetic:320x240@60,format=\(format)"]) { test in
        let client = test.client
        try await client.letPass(frames: 12)
        let before = try await client.status().now
        let photo = try await client.photo(.inline { when.set(&$0, before) })
        let after = MonotonicTime.now.nanoseconds

        #expect(photo.steps.map(\.step) == [.willBegin, .willCapture, .didCapture, .didProcess])
        let resolved = photo.result.resolved
        for step in photo.steps.suffix(2) { #expect(step.resolved == resolved) }
        let jpeg = try #require(photo.jpeg)
        #expect(photo.result.byteCount == UInt64(jpeg.count))
        #expect(photo.result.sha256 == sha256(jpeg))
        #expect(resolved.passthrough == (format == "MJPG"))
        #expect(resolved.quality == (format == "MJPG" ? 0 : 90))

        let picture = try DecodedPhoto(jpeg)
        #expect(picture.size.width == 320)
        #expect(picture.strip?.number == resolved.frameSequence)
        #expect(picture.strip?.timestamp.nanoseconds == resolved.timestamp.monotonicNs)

        #expect(resolved.timestampMark == .exposureStart)
        #expect(resolved.earliestStartNs == resolved.timestamp.monotonicNs)
        #expect(resolved.latestEndNs > resolved.earliestStartNs && resolved.exposureNs == 0)

        let asked = resolved.timestamp.monotonicNs - resolved.offsetNs
        let tolerance: Int64 = 1_000_000
        // A busy machine loses frames, and the nearest one that is left may be further away.
        let counters = try #require(try await client.status().cameras.first).frames
        let lost = counters.lostByCamera + counters.skipped + counters.poolExhausted
        let farthest = Self.interval * (1 + Int64(lost))
        switch when {
        case .now:
          #expect(before.monotonicNs...after ~= asked)
          #expect(abs(resolved.offsetNs) <= farthest)
        case .next:
          #expect(before.monotonicNs...after ~= asked)
          #expect(resolved.offsetNs >= 0)
        case .future:
          #expect(asked == before.monotonicNs + 100_000_000)
          #expect(abs(resolved.offsetNs) <= farthest)
        case .past:
          #expect(before.monotonicNs - 100_000_000...after - 100_000_000 ~= asked)
          #expect(abs(resolved.offsetNs) <= farthest)
        case .wallClock:
          #expect(abs(asked - (before.monotonicNs - 50_000_000)) < tolerance)
          #expect(abs(resolved.offsetNs) <= farthest)
        case .recent:
          #expect(resolved.offsetNs == 0)
        }
      }
    }

    @Test func `The requested quality is used`() async throws {
      try await TestNode.run { test in
        let low = try await test.client.photo(.inline { $0.quality = 10 })
        let high = try await test.client.photo(.inline { $0.quality = 100 })
        #expect(low.result.resolved.quality == 10)
        #expect(high.result.resolved.quality == 100)
        #expect(low.result.byteCount < high.result.byteCount)
      }
    }

    @Test func `A photo is stored and listed unless it is transient`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let transient = try await client.photo()
        #expect(!transient.result.hasAsset)
        #expect(try await client.assets().isEmpty)

        let id = RequestID.random()
        let stored = try await client.photo(.with { $0.inlineLimit = 1 << 20 }, id: id)
        let asset = stored.result.asset
        #expect(try await client.assets() == [asset])
        #expect(asset.camera == "cam")
        #expect(asset.mediaType == "image/jpeg")
        #expect(asset.requestID == id.data)
        #expect((asset.size.width, asset.size.height) == (320, 240))
        #expect(asset.createdWallNs == stored.result.resolved.timestamp.wallNs)
        let file = try test.file(asset.path)
        #expect(file == stored.jpeg)
        #expect(asset.sha256 == sha256(file))
        #expect(asset.byteCount == UInt64(file.count))
      }
    }

    @Test func `A photo is attached only within the limit, and a transient photo must be attached`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        for limit in [0, 100] {
          let photo = try await client.photo(.with { $0.inlineLimit = UInt32(limit) })
          #expect(photo.jpeg == nil)
        }
        let error = try await client.error(.capture(.inline { $0.inlineLimit = 100 }))
        #expect(error.code == .invalidArgument)
        #expect(error.field == "capture.inline_limit")
      }
    }

    @Test func `The past reaches as far back as the ring, and older moments are refused`()
      async throws
    {
      try await TestNode.run { test in
        try await test.client.letPass(frames: 2)
        let error = try await test.client.error(
          .capture(.inline { $0.pastNs = 10_000_000_000 }))
        #expect(error.code == .frameUnavailable)
        #expect(error.message.contains("reaches back"))
      }
    }

    @Test func `A photo whose nearest frame lies outside the tolerance fails, and nothing is kept`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        // Ahead, so that a busy machine still has its frames when it reads the request.
        let moment = try await client.status().now.monotonicNs + 2_000_000_000
        let error = try await client.error(
          .capture(
            .with {
              $0.atMonotonicNs = moment
              $0.toleranceNs = 1
            }))
        #expect(error.code == .frameUnavailable)
        #expect(error.field == "capture.tolerance_ns")
        #expect(try await client.assets().isEmpty)
      }
    }

    /// Takes a photo, and asks for photos of its moment with a small tolerance. A busy machine may
    /// have lost the moment by then, and tries again.
    private static func again(
      _ client: TestClient, _ edit: (inout WireCaptureRequest) -> Void
    ) async throws -> (first: WireResolvedCapture, result: WireCaptureResult) {
      while true {
        let first = try await client.photo().result.resolved
        var request = WireCaptureRequest()
        request.atMonotonicNs = first.timestamp.monotonicNs
        request.toleranceNs = 1000
        edit(&request)
        switch try await client.ask(.capture(request)).last?.wire.body {
        case .capture(let result): return (first, result)
        case .error(let error): try #require(error.field == "capture.when", "\(error)")
        case let other: throw Unexpected("\(String(describing: other))")
        }
      }
    }

    @Test(arguments: [WirePhotoPrioritization.speed, .balanced, .quality])
    func `A photo with a tolerance is made of frames within it alone`(
      prioritization: WirePhotoPrioritization
    ) async throws {
      try await TestNode.run { test in
        let (first, result) = try await Self.again(test.client) {
          $0.prioritization = prioritization
        }
        #expect(result.resolved.frameSequence == first.frameSequence)
        #expect(result.resolved.mergedFrames <= 1)
      }
    }

    @Test func `The tolerance of a burst counts for its first picture`() async throws {
      try await TestNode.run { test in
        let (_, result) = try await Self.again(test.client) { $0.burst.pictures = 3 }
        #expect(result.pictures.map { $0.resolved.offsetNs == 0 } == [true, false, false])
      }
    }

    @Test func `Photos can overlap`() async throws {
      try await TestNode.run { test in
        let client = test.client
        // A busy machine reads the requests when their moments have passed.
        _ = try await client.camera { $0.ringDurationNs > 800_000_000 }
        let start = try await client.status().now.monotonicNs
        let ids = (0..<10).map { _ in RequestID.random() }
        for (index, id) in ids.enumerated() {
          let moment = start + 200_000_000 - Int64(index) * 20_000_000
          try await client.send(.capture(.inline { $0.atMonotonicNs = moment }), id: id)
        }
        var times: [Int64] = []
        for id in ids {
          times.append(
            try Photo(await client.conversation(id)).result.resolved.timestamp.monotonicNs)
        }
        // A busy machine produces fewer frames than there are moments.
        #expect(times == times.sorted(by: >))
        #expect(Set(times).count > 1)
      }
    }
  }
}
