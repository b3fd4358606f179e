import CameraProtocol
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  struct AssetTests {
    @Test func `An asset is found by its id, by its request and by its camera`() async throws {
      let cameras = ["left=synthetic:160x120@30", "right=synthetic:160x120@30"]
      try await TestNode.run(cameras) { test in
        let client = test.client
        let id = RequestID.random()
        let left = try await client.photo(.with { $0.camera = "left" }, id: id).result.asset
        let right = try await client.photo(.with { $0.camera = "right" }).result.asset
        #expect(try await client.assets { $0.id = left.id } == [left])
        #expect(try await client.assets { $0.requestID = id.data } == [left])
        #expect(try await client.assets { $0.requestID = RequestID.random().data }.isEmpty)
        #expect(try await client.assets { $0.camera = "right" } == [right])
        #expect(
          try await client.assets {
            $0.camera = "right"
            $0.id = left.id
          }.isEmpty)
      }
    }

    @Test func `The pages of a list have every asset once`() async throws {
      try await TestNode.run { test in
        let client = test.client
        var photos: [WireAsset] = []
        for _ in 0..<5 { photos.append(try await client.storedPhoto().result.asset) }
        var (listed, page, pages) = ([WireAsset](), Data(), 0)
        repeat {
          let body = WireAssetsRequest.with {
            $0.limit = 2
            $0.page = page
          }
          let reply = try await client.ask(.assets(body)).last
          guard case .assets(let assets)? = reply?.wire.body else { throw Unexpected(reply) }
          listed += assets.assets
          page = assets.next
          pages += 1
        } while !page.isEmpty
        // Photos of one frame have the same moment, and their order is free.
        #expect(Set(listed) == Set(photos) && listed.count == 5)
        #expect(listed.map(\.createdWallNs) == photos.map(\.createdWallNs).sorted(by: >))
        #expect(pages == 3)
      }
    }

    @Test func `Assets are selected by time, kind and protection`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let photo = try await client.storedPhoto().result.asset
        let movie = try await client.movie(frames: 3).asset
        #expect(try await client.assets { $0.kind = .photo } == [photo])
        #expect(try await client.assets { $0.kind = .movie } == [movie])
        #expect(try await client.assets { $0.untilWallNs = movie.createdWallNs } == [photo])
        #expect(try await client.assets { $0.sinceWallNs = movie.createdWallNs } == [movie])
        _ = try await client.protect([photo.id], true)
        #expect(try await client.assets { $0.protected = true }.map(\.id) == [photo.id])
        #expect(try await client.assets { $0.protected = false } == [movie])
      }
    }

    @Test func `A camera that neither the node nor its library knows is refused`() async throws {
      try await TestNode.run { test in
        let error = try await test.client.error(.assets(.with { $0.camera = "none" }))
        #expect(error.code == .noSuchCamera && error.field == "assets.camera")
        #expect(error.message.contains("cam"))
        #expect(try await test.client.assets { $0.camera = "cam" } == [])
      }
    }

    @Test func `Assets of a camera that the node no longer has are listed`() async throws {
      let folder = try TemporaryFolder()
      let photo = try await TestNode.run(configure: { $0.library = folder.path }) { test in
        try await test.client.storedPhoto().result.asset
      }
      try await TestNode.run(
        ["other=synthetic:160x120@30"], configure: { $0.library = folder.path }
      ) { (test) async throws in
        #expect(try await test.client.assets { $0.camera = "cam" } == [photo])
        #expect(
          try await test.client.assets {
            $0.camera = "cam"
            $0.kind = .movie
          } == [])
      }
    }

    @Test func `Each asset of a request is deleted, or the result says why not`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let gone = try await client.storedPhoto().result.asset
        let kept = try await client.storedPhoto().result.asset
        let protected = try #require(try await client.protect([kept.id], true).first)
        #expect(protected.asset.protected && protected.asset.id == kept.id)
        let unknown = RequestID.random().data
        let id = RequestID.random()
        let ids = [gone.id, kept.id, unknown]
        let results = try await client.delete(ids, id: id)
        #expect(results.map(\.id) == ids)
        #expect(results[0].asset == gone)
        #expect(results[1].error.code == .conflict && !results[1].error.retryable)
        #expect(results[1].error.message.contains("end its protection"))
        #expect(results[2].error.code == .noSuchAsset)
        #expect(throws: (any Error).self) { try test.file(gone.path) }
        #expect(try !test.file(kept.path).isEmpty)
        #expect(try await client.assets().map(\.id) == [kept.id])
        #expect(try await client.delete(ids, id: id) == results, "A retry gets the same answer")
        #expect(try await client.delete([gone.id]).first?.error.code == .noSuchAsset)
        _ = try await client.protect([kept.id], false)
        #expect(try await client.delete([kept.id]).first?.asset.id == kept.id)
        #expect(try await client.assets() == [])
      }
    }

    @Test func `Removed and changed files are reported, and cannot be downloaded`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let removed = try await client.storedPhoto().result.asset
        let changed = try await client.storedPhoto().result.asset
        let damaged = try await client.storedPhoto().result.asset
        let path = { (asset: WireAsset) in URL(filePath: "\(test.library)/\(asset.path)") }
        try FileManager.default.removeItem(at: path(removed))
        try Data("short".utf8).write(to: path(changed))
        // The same size and time of change, so that only the bytes themselves show it.
        let copy = "\(test.library)/copy"
        try output(of: "cp", ["-p", path(damaged).path, copy])
        let handle = try FileHandle(forWritingTo: path(damaged))
        try handle.seek(toOffset: 1000)
        try handle.write(contentsOf: Data("damage".utf8))
        try handle.close()
        try output(of: "touch", ["-r", copy, path(damaged).path])
        func condition(_ asset: WireAsset) async throws -> WireAssetCondition? {
          try await client.assets { $0.id = asset.id }.first?.condition
        }
        #expect(try await condition(removed) == .missing)
        #expect(try await condition(changed) == .changed)
        #expect(try await condition(damaged) == .intact, "A look cannot show it")
        for asset in [removed, changed, damaged] {
          let error = try await client.error(
            .download(
              .with {
                $0.asset = asset.id
                $0.credit = 64
              }))
          #expect(error.code == .assetDamaged)
          #expect(!error.retryable)
          #expect(error.message.contains(asset.path))
          #expect(error.message.contains("delete the asset"))
        }
        #expect(try await condition(damaged) == .changed)
        let all = [removed.id, changed.id, damaged.id]
        #expect(try await client.delete(all).allSatisfy { $0.error.code == .unspecified })
        #expect(try await client.assets() == [])
      }
    }
  }
}
