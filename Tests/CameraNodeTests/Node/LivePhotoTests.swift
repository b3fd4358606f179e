import CameraProtocol
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Photos with a movie around them. What the movies show is tested in Python.
  struct LivePhotoTests {
    private static let camera = "cam=synthetic:320x240@30,format=YUYV"

    /// Switches live photos on, and waits until all of the time before a photo is kept.
    private func switchOn(
      _ client: TestClient, before: UInt64 = 400_000_000, after: UInt64 = 200_000_000
    ) async throws {
      let change = WireConfigureRequest.with {
        $0.livePhotos = .with { ($0.beforeNs, $0.afterNs) = (before, after) }
      }
      _ = try await client.ask(.configure(change))
      _ = try await client.camera { $0.livePhotos.reachNs >= before }
    }

    private func live(_ client: TestClient) async throws -> Photo {
      try await client.photo(
        .with {
          $0.live = true
          $0.inlineLimit = 1 << 20
        })
    }

    @Test func `They are counted while their movies get frames`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        try await switchOn(client)
        async let first = live(client)
        async let second = live(client)
        let photos = try await [first, second]
        for photo in photos {
          #expect(photo.steps.count { $0.step == .didRecordMovie } == 1)
          #expect(photo.result.movie.asset.part == .live && !photo.result.movie.hasError)
          #expect(photo.result.movie.asset.requestID == photo.result.asset.requestID)
          #expect(photo.result.movie.asset.path.hasSuffix(".live.mp4"))
        }
        let counts = await client.events.compactMap(\.event).compactMap { event -> UInt32? in
          guard case .state(let status)? = event.body else { return nil }
          return status.livePhotos.inProgress
        }
        #expect(counts.contains(1) && counts.max() == 2 && counts.last == 0)
        #expect(try await client.assets().count == 4)
      }
    }

    @Test func `Other settings end the movie that is being made`() async throws {
      try await TestNode.run([Self.camera]) { test in
        let client = test.client
        try await client.follow()
        try await switchOn(client, after: 5_000_000_000)
        let id = RequestID.random()
        try await client.send(
          .capture(
            .with {
              $0.live = true
              $0.inlineLimit = 1 << 20
            }), id: id)
        try await client.state { $0.livePhotos.inProgress == 1 }
        let off = WireConfigureRequest.with { $0.livePhotos = WireLivePhotoSettings() }
        _ = try await client.ask(.configure(off))
        let photo = try Photo(try await client.conversation(id))
        let movie = photo.result.movie
        // It ended with what had come, or before it had anything.
        #expect(movie.hasAsset || movie.error.code == .notRunning)
        #expect(movie.asset.durationNs < 5_000_000_000)
        let refused = try await client.error(.capture(.with { $0.live = true }))
        #expect(refused.code == .conflict && refused.field == RequestField.Capture.live)
      }
    }

    @Test func `A node that stops has the photo and what there is of the movie`() async throws {
      let library = try TemporaryFolder()
      try await TestNode.run([Self.camera], configure: { $0.library = library.path }) { test in
        let client = test.client
        try await client.follow()
        try await switchOn(client, after: 5_000_000_000)
        try await client.send(.capture(.with { $0.live = true }), id: .random())
        _ = try await client.event { event -> Bool? in
          event.capture.progress.step == .didProcess ? true : nil
        }
      }
      try await TestNode.run([Self.camera], configure: { $0.library = library.path }) { test in
        let assets = try await test.client.assets()
        #expect(Set(assets.map(\.part)) == [.unspecified, .live] && assets.count == 2)
        let movie = try #require(assets.first { $0.part == .live })
        #expect(!movie.recovered && movie.frames > 0 && movie.durationNs < 6_000_000_000)
      }
    }

    @Test func `They are on from the start, and a stopped session keeps nothing`() async throws {
      let configure: (inout NodeConfiguration) -> Void = {
        $0.cameras[0].start.request.livePhotos = .with {
          ($0.beforeNs, $0.afterNs) = (400_000_000, 100_000_000)
        }
      }
      try await TestNode.run([Self.camera], configure: configure) { test in
        let client = test.client
        let status = try await client.camera { $0.livePhotos.reachNs >= 400_000_000 }
        #expect(status.livePhotos.settings.beforeNs == 400_000_000)
        #expect(status.livePhotos.settings.afterNs == 100_000_000)
        _ = try await client.ask(.sessionStop(WireSessionStopRequest()))
        #expect(try await client.camera().livePhotos.reachNs == 0)
      }
    }
  }
}
