import CameraProtocol
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Names and tags of assets.
  struct LabelTests {
    private func tag(
      _ client: TestClient, _ ids: [Data], id: RequestID = .random(),
      _ edit: (inout WireTagRequest) -> Void
    ) async throws -> [WireAssetResult] {
      let body = WireTagRequest.with {
        $0.assets = ids
        edit(&$0)
      }
      let reply = try await client.ask(.tag(body), id: id).last
      guard case .tag(let tag)? = reply?.wire.body else { throw Unexpected(reply) }
      return tag.results
    }

    @Test
    func `Photos and movies have the name and the tags of their request, and are found by them`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        let burst = try await client.photo(
          .with {
            ($0.name, $0.tags) = ("Ein früher Zug", ["zug", "früh"])
            $0.burst.pictures = 2
            $0.outputs = [.with { $0.format = .jpeg }, .with { $0.format = .png }]
          })
        let photos = burst.result.pictures.flatMap(\.files).map(\.asset)
        #expect(photos.count == 4)
        #expect(
          photos.allSatisfy { $0.name == "Ein früher Zug" && $0.tags == ["zug", "früh"] })
        let recording = try await client.startRecording {
          ($0.name, $0.tags) = ("Rangieren", ["zug"])
        }
        try await client.letRecord(frames: 3)
        let movie = try await client.stopRecording(recording).asset
        #expect(movie.name == "Rangieren" && movie.tags == ["zug"])
        let other = try await client.storedPhoto().result.asset
        #expect(other.name.isEmpty && other.tags.isEmpty)
        let early = try await client.assets { $0.tags = ["früh", "zug"] }
        #expect(Set(early.map(\.id)) == Set(photos.map(\.id)))
        let all = try await client.assets { $0.tags = ["zug"] }
        #expect(all.map(\.id).first == movie.id && all.count == 5)
        #expect(try await client.assets { $0.name = "Rangieren" } == [movie])
        #expect(
          try await client.assets {
            ($0.name, $0.tags) = ("Rangieren", ["früh"])
          }.isEmpty)
      }
    }

    @Test func `A shot of a rig and the final files of a proxy have them too`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let shot = RequestID.random()
        let prepare = WireShotPrepareRequest.with {
          $0.shot = shot.data
          ($0.capture.name, $0.capture.tags) = ("Start", ["rig"])
        }
        let reply = try await client.ask(.shotPrepare(prepare), under: Data())
        guard case .shotPrepared(let prepared)? = reply else { throw Unexpected("\(reply as Any)") }
        let commit = WireShotCommitRequest.with {
          $0.shot = shot.data
          $0.atMonotonicNs = prepared.now.monotonicNs
        }
        let id = RequestID.random()
        try await client.send(.shotCommit(commit), id: id, lease: prepared.lease)
        guard case .capture(let taken)? = try await client.final(id) else {
          throw Unexpected("no photo")
        }
        #expect(taken.asset.name == "Start" && taken.asset.tags == ["rig"])

        let photo = try await client.photo(
          .outputs([.png]) {
            $0.deferred = true
            $0.tags = ["later"]
          })
        let event = try await client.event { event -> WireDeferredEvent? in
          guard case .deferred(let deferred)? = event.body,
            deferred.proxy == photo.result.asset.id
          else { return nil }
          return deferred
        }
        #expect(photo.result.asset.tags == ["later"])
        #expect(event.finished.files.map(\.asset.tags) == [["later"]])
      }
    }

    @Test func `Names and tags of each asset are changed, or the result says why not`() async throws
    {
      try await TestNode.run { test in
        let client = test.client
        let many = (0..<32).map { "t\($0)" }
        let photo = try await client.photo(.with { $0.tags = ["old", "kept"] }).result.asset
        let full = try await client.photo(.with { $0.tags = many }).result.asset
        let unknown = RequestID.random().data
        let ids = [photo.id, full.id, unknown]
        let id = RequestID.random()
        let results = try await tag(client, ids, id: id) {
          $0.name = "Gate"
          ($0.add, $0.remove) = (["new"], ["old"])
        }
        #expect(results.map(\.id) == ids)
        #expect(results[0].asset.name == "Gate" && results[0].asset.tags == ["kept", "new"])
        #expect(results[0].asset.sha256 == photo.sha256)
        #expect(
          results[1].error.code == .invalidArgument && results[1].error.message.contains("33"))
        #expect(results[2].error.code == .noSuchAsset)
        #expect(try await client.assets { $0.id = full.id } == [full])
        #expect(try await client.assets { $0.tags = ["new"] } == [results[0].asset])
        #expect(sha256(try test.file(photo.path)) == photo.sha256, "The file stays")
        let again = try await tag(client, ids, id: id) {
          $0.name = "Gate"
          ($0.add, $0.remove) = (["new"], ["old"])
        }
        #expect(again == results, "A retry gets the same answer")
        let cleared = try await tag(client, [photo.id]) { $0.name = "" }
        #expect(cleared.first?.asset.name == "" && cleared.first?.asset.tags == ["kept", "new"])
      }
    }
  }
}
