import CameraProtocol
import Digest
import EventLoop
import MediaLibrary
import SwiftProtobuf
import TestSupport
import Testing
import Words

@testable import CameraNode

extension NodeTests {
  /// Clients that want much of the library cost no other its service.
  struct CrowdedLibraryTests {
    /// More than are listed at a time.
    private static let assetCount = 120

    /// Runs `body` with a node whose library has assets.
    private func withAssets(_ body: (TestNode) async throws -> Void) async throws {
      let folder = try TemporaryFolder()
      let loop = EventLoop(name: "test-library")
      let library = try MediaLibrary(folder: folder.path, loop: loop)
      try await attempt {
        _ = try await library.open()
        for number in 1...Self.assetCount {
          _ = try await library.storePhoto(
            [UInt8](repeating: 1, count: number),
            AssetDescription(
              camera: "cam", mediaType: .jpeg, width: 1, height: 1, createdAt: Int64(number)))
        }
      } finally: {
        await library.close()
        loop.stop()
      }
      try await TestNode.run(configure: { $0.library = folder.path }, body)
    }

    @Test func `A list that is made in parts has every asset once, and where it goes on`()
      async throws
    {
      try await withAssets { test in
        let first = WireAssetsRequest.with { $0.limit = 110 }
        guard case .assets(let page)? = try await test.client.ask(.assets(first)).last?.wire.body
        else { throw Unexpected("no list") }
        #expect(page.assets.map(\.createdWallNs) == (11...120).reversed())
        let rest = try await test.client.assets { $0.page = page.next }
        #expect(rest.map(\.createdWallNs) == (1...10).reversed())
      }
    }

    @Test func `A short change passes many long ones, which wait and can be cancelled`()
      async throws
    {
      try await withAssets { test in
        let assets = try await test.client.assets { $0.limit = 1000 }.map(\.id)
        try await test.withClient { crowd in
          let ids = (0..<60).map { _ in RequestID.random() }
          for id in ids {
            let body = WireProtectRequest.with {
              $0.assets = assets
              $0.protected = true
            }
            try await crowd.send(.protect(body), id: id)
          }
          _ = try await crowd.ask(.status(.init()))
          #expect(try await test.client.protect([assets[0]], false).count == 1)
          #expect(try await test.client.cancel(ids[59]) == .cancelled)
        }
      }
    }
  }
}
