import CameraProtocol
import CaptureSynthetic
import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing

extension NodeTests {
  /// The time contract of photos at random moments, whatever is done for their look.
  struct TimeContractTests {
    private static let interval: Int64 = 16_666_667

    private struct Asked: Sendable {
      var id = RequestID.random()
      var request: WireCaptureRequest
    }

    /// A photo of a random moment around now.
    private static func asked(
      _ now: Int64, _ prioritization: WirePhotoPrioritization, _ random: inout SeededGenerator
    ) -> Asked {
      Asked(
        request: .inline {
          $0.prioritization = prioritization
          switch Int.random(in: 0..<5, using: &random) {
          case 0: $0.now = .init()
          case 1: $0.next = .init()
          case 2: $0.noOlderThanNs = UInt64.random(in: 0..<100_000_000, using: &random)
          case 3: $0.pastNs = UInt64.random(in: 50_000_000..<300_000_000, using: &random)
          default: $0.atMonotonicNs = now + .random(in: -300_000_000..<300_000_000, using: &random)
          }
        })
    }

    @Test func `A moment before the first frame of a stream is refused, and one of now is not`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        _ = try await client.ask(.sessionStop(.init()))
        try await client.set(["inject_stall": 1])
        _ = try await client.ask(.sessionStart(.init()))
        let moments: [(inout WireCaptureRequest) -> Void] = [
          { $0.pastNs = 3_600_000_000_000 }, { $0.atMonotonicNs = 0 }, { $0.now = .init() },
        ]
        var ids: [RequestID] = []
        for edit in moments {
          ids.append(.random())
          try await client.send(.capture(.inline(edit)), id: ids[ids.count - 1])
        }
        // It comes after them.
        _ = try await client.status()
        try await client.set(["inject_stall": 0])
        for id in ids.dropLast() {
          guard case .error(let error)? = try await client.final(id) else {
            Issue.record("a frame of another moment was taken")
            continue
          }
          #expect(error.code == .frameUnavailable && error.field == "capture.when")
        }
        guard case .capture? = try await client.final(ids[2]) else {
          Issue.record("there is no photo of now")
          return
        }
      }
    }

    @Test(arguments: [WirePhotoPrioritization.speed, .balanced, .quality])
    func `200 photos at random moments show frames within the bounds of the contract`(
      prioritization: WirePhotoPrioritization
    ) async throws {
      var random = SeededGenerator(for: "200 photos with \(prioritization)")
      try await TestNode.run { test in
        let client = test.client
        var done: Set<WirePhotoPrioritization> = []
        _ = try await client.camera { $0.ringDurationNs > 800_000_000 }
        for _ in 0..<20 {
          let now = try await client.status().now.monotonicNs
          let batch = (0..<10).map { _ in Self.asked(now, prioritization, &random) }
          for photo in batch {
            try await client.send(.capture(photo.request), id: photo.id, remaining: .seconds(30))
          }
          for photo in batch {
            let taken = try Photo(await client.conversation(photo.id))
            try Self.check(taken, photo.request, try await client.camera())
            done.insert(taken.result.resolved.prioritization)
          }
        }
        #expect(done.contains(prioritization))
      }
    }

    private static func check(
      _ photo: Photo, _ request: WireCaptureRequest, _ camera: WireCameraStatus
    ) throws {
      let resolved = photo.result.resolved
      let picture = try DecodedPhoto(try #require(photo.jpeg))
      // A moving scene is merged from one frame where it moves, and the strip changes at once.
      #expect(picture.strip?.number == resolved.frameSequence)
      #expect(picture.strip?.timestamp.nanoseconds == resolved.timestamp.monotonicNs)
      let frames = camera.frames
      let lost = Int64(frames.lostByCamera + frames.skipped + frames.poolExhausted)
      let neighbours: Int64 = resolved.prioritization == .speed ? 0 : 1
      switch request.when {
      case .next, .noOlderThanNs:
        let asked = resolved.timestamp.monotonicNs - resolved.offsetNs
        if case .next = request.when { #expect(resolved.earliestStartNs >= asked) }
        #expect(resolved.offsetNs >= 0)
      default:
        #expect(abs(resolved.offsetNs) <= interval * (1 + neighbours + lost))
      }
      // Asked for in tens, they come faster than they are made.
      #expect(resolved.prioritization.rawValue <= max(1, request.prioritization.rawValue))
      #expect(resolved.mergedFrames <= (resolved.prioritization == .quality ? 4 : 0))
    }
  }
}
