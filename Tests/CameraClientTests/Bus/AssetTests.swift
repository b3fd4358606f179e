import CameraClient
import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AssetTests {
  /// Newest first.
  private let assets = Self.list(5)

  private static func list(_ count: Int) -> [WireAsset] {
    (0..<count).map { age in
      var asset = WireAsset.asset([1])
      asset.createdWallNs = 1_777_889_472_000_000_000 - Int64(age)
      return asset
    }
  }

  @Test func `All assets come, and each page is asked for when the one before is taken`()
    async throws
  {
    try await withFakeNode { node, bus in
      let filter = AssetFilter(
        camera: "cam", kind: .movie, since: .init(nanoseconds: 5), until: .init(nanoseconds: 9),
        isProtected: false)
      async let listed = {
        var assets: [Asset] = []
        for try await asset in bus.allAssets(filter) { assets.append(asset) }
        return assets
      }()
      var requests = node.requests.makeAsyncIterator()
      for (page, next) in [("", "one"), ("one", "two"), ("two", "")] {
        let request = try #require(await requests.next())
        let expected = WireAssetsRequest.with {
          $0.camera = "cam"
          $0.kind = .movie
          ($0.sinceWallNs, $0.untilWallNs) = (5, 9)
          $0.protected = false
          $0.limit = 100
          $0.page = Data(page.utf8)
        }
        #expect(request.request.body == .assets(expected))
        // The last page may be empty.
        let some = page.isEmpty ? assets[..<3] : page == "one" ? assets[3...] : []
        try await node.reply(
          to: request,
          .assets(
            .with {
              $0.assets = Array(some)
              $0.next = Data(next.utf8)
            }))
      }
      #expect(try await listed == assets.compactMap(Asset.init))
    }
  }

  enum EndlessPage: CaseIterable {
    case empty, samePage, olderBeforeNewer, sameTime, sameCursor
  }

  @Test(arguments: EndlessPage.allCases)
  func `A list that does not go on to older assets is an error, because it may never end`(
    page: EndlessPage
  ) async throws {
    try await withFakeNode { node, bus in
      async let error = failure { () throws(CameraBusError) in
        for try await _ in bus.allAssets() {}
      }
      let answers = Task {
        var older = Self.list(1000)[...]
        for await request in node.requests {
          let next = older.popFirst()
          try await node.reply(
            to: request,
            .assets(
              .with {
                $0.assets =
                  switch page {
                  case .sameCursor: [next].compactMap(\.self)
                  case .empty: []
                  case .samePage: assets
                  case .olderBeforeNewer: assets.reversed()
                  case .sameTime: (0..<1000).map { _ in WireAsset.asset([1]) }
                  }
                $0.next = page == .sameCursor ? Data([1]) : RequestID.random().data
              }))
        }
      }
      #expect(await error?.message.contains("never ends") == true)
      answers.cancel()
    }
  }

  @Test func `A reader that stops asks for no further page`() async throws {
    try await withFakeNode { node, bus in
      async let first = bus.allAssets().first { _ in true }
      var requests = node.requests.makeAsyncIterator()
      let reply = WireAssetsReply.with {
        $0.assets = assets
        $0.next = Data([1])
      }
      try await node.reply(to: #require(await requests.next()), .assets(reply))
      #expect(try await first == Asset(assets[0]))
      try await node.expectNoRequest(&requests, bus)
    }
  }

  @Test func `A limit above a page's takes several requests`() async throws {
    try await withFakeNode { node, bus in
      let assets = Self.list(1003)
      async let listed = bus.assets(limit: 1003)
      var requests = node.requests.makeAsyncIterator()
      for (range, next) in [(0..<1000, Data([1])), (1000..<1003, Data([2]))] {
        let request = try #require(await requests.next())
        #expect(request.request.assets.limit == UInt32(range.count))
        try await node.reply(
          to: request,
          .assets(
            .with {
              $0.assets = Array(assets[range])
              $0.next = next
            }))
      }
      #expect(try await listed.count == 1003)
    }
  }

  @Test func `Each asset that is deleted has its own outcome, in requests of 256`() async throws {
    try await withFakeNode { node, bus in
      let ids = (0..<300).map { _ in WireAsset.asset([1]) }
      async let changes = bus.delete(ids.compactMap { Asset($0)?.id })
      var requests = node.requests.makeAsyncIterator()
      for range in [0..<256, 256..<300] {
        let request = try #require(await requests.next())
        #expect(request.request.delete.assets == ids[range].map(\.id))
        let results = ids[range].map { asset in
          WireAssetResult.with {
            $0.id = asset.id
            if asset == ids[299] {
              $0.error = WireError(.conflict, "it is protected")
            } else {
              $0.asset = asset
            }
          }
        }
        try await node.reply(to: request, .delete(.with { $0.results = results }))
      }
      let all = try await changes
      #expect(all.map(\.id.bytes) == ids.map { Array($0.id) })
      #expect(try all[0].outcome.get().id == all[0].id)
      let error = #expect(throws: CameraBusError.self) { try all[299].outcome.get() }
      #expect(error?.code == .conflict)
    }
  }

  @Test(arguments: [true, false])
  func `A protection begins and ends`(isProtected: Bool) async throws {
    try await withFakeNode { node, bus in
      var asset = assets[0]
      let id = try #require(Asset(asset)).id
      async let changes = bus.protect([id], isProtected)
      var requests = node.requests.makeAsyncIterator()
      let request = try #require(await requests.next())
      #expect(request.request.protect.assets == [asset.id])
      #expect(request.request.protect.protected == isProtected)
      asset.protected = isProtected
      let result = WireAssetResult.with { [asset] in
        $0.id = asset.id
        $0.asset = asset
      }
      try await node.reply(to: request, .protect(.with { $0.results = [result] }))
      #expect(try await changes.first?.outcome.get().isProtected == isProtected)
    }
  }

  @Test func `Results for other assets than those asked about are refused`() async throws {
    try await withFakeNode { node, bus in
      let id = try #require(Asset(assets[0])).id
      async let error = failure { () throws(CameraBusError) in _ = try await bus.delete([id]) }
      var requests = node.requests.makeAsyncIterator()
      try await node.reply(to: #require(await requests.next()), .delete(.init()))
      #expect(await error?.code == .protocolViolation)
    }
  }

  @Test(arguments: [false, true])
  func `A protection that is not what was asked for, or another asset's, is refused`(
    isOther: Bool
  ) async throws {
    try await withFakeNode { node, bus in
      let id = try #require(Asset(assets[0])).id
      async let error = failure { () throws(CameraBusError) in _ = try await bus.protect([id]) }
      var requests = node.requests.makeAsyncIterator()
      var asset = assets[isOther ? 1 : 0]
      asset.protected = isOther
      let result = WireAssetResult.with { [asset] in
        $0.id = assets[0].id
        $0.asset = asset
      }
      try await node.reply(
        to: #require(await requests.next()), .protect(.with { $0.results = [result] }))
      #expect(await error?.code == .protocolViolation)
    }
  }

  @Test func `A condition that this client does not know is a change`() throws {
    var wire = assets[0]
    #expect(Asset(wire)?.condition == .intact)
    wire.condition = .missing
    #expect(Asset(wire)?.condition == .missing)
    wire.condition = try #require(WireAssetCondition(rawValue: 99))
    #expect(Asset(wire)?.condition == .changed)
  }

  @Test(arguments: [
    "", "/", ".profile", "cam/.ssh", "-rf", "a\0b.jpg", "a\nb.jpg", "\u{1B}[2J", "ä.jpg", "cam/..",
  ])
  func `A node cannot choose a file name that other programs obey`(path: String) throws {
    var wire = assets[0]
    wire.path = "cam/2026-11-21/cam-20261121T090707.123Z-0a1b2c3d.jpg"
    #expect(Asset(wire)?.fileName == "cam-20261121T090707.123Z-0a1b2c3d.jpg")
    wire.path = path
    let asset = try #require(Asset(wire))
    #expect(asset.fileName == "\(asset.id)")
  }
}
