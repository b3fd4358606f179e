import Foundation
import GRDB
import TestSupport
import Testing
import Words

@testable import MediaLibrary

/// Proxies, and what is kept for them.
@Suite struct DeferredTests {
  let folder: TemporaryFolder
  private let kept: [UInt8] = [7, 8, 9, 10]

  init() throws {
    folder = try TemporaryFolder()
  }

  private func path(_ asset: Asset) -> String { ".deferred/\(asset.id).photo" }

  /// What is in the place of a proxy.
  private func replacement(of proxy: Asset, _ mediaType: MediaType = .png) -> AssetDescription {
    var description = AssetDescription.photo()
    (description.mediaType, description.replaces) = (mediaType, proxy.id)
    return description
  }

  @Test func `A proxy is stored with what is kept for it, and both are there after an opening`()
    async throws
  {
    let proxy = try await folder.withLibrary { library, _ in
      let proxy = try await library.storeProxy([UInt8]([1, 2]), keeping: kept, .photo())
      #expect(proxy.deferral == .pending && proxy.description.replaces == nil)
      #expect(try folder.files == [path(proxy), proxy.relativePath].sorted())
      return proxy
    }
    try await folder.withLibrary { library, findings in
      #expect(findings == [])
      #expect(try await library.asset(proxy.id) == proxy)
      let entry = try #require(try await library.deferredPhoto(proxy.id))
      #expect(try await library.deferredPhotos() == [entry])
      #expect((entry.camera, entry.byteCount, entry.attempts) == ("front", 4, 0))
      #expect(entry.event == nil)
      #expect(try await library.beginDeferred(entry) == kept)
      #expect(try await library.deferredPhoto(proxy.id)?.attempts == 1)
      try await library.pauseDeferred(proxy.id)
      #expect(try await library.deferredPhoto(proxy.id)?.attempts == 0)
    }
  }

  @Test func `Room is kept for files that are still to be made, and counts as no photo's size`()
    async throws
  {
    try await folder.withLibrary { library, _ in
      await library.watchSpace(for: ["front"]) { _ in }
      let full = await #expect(throws: MediaLibraryError.self) {
        try await library.storeProxy(
          [UInt8]([1, 2]), keeping: kept, .photo(), leaving: .max / 2)
      }
      #expect(full?.code == .storageFull)
      _ = try await library.storeProxy(
        [UInt8]([1, 2]), keeping: kept, .photo(), leaving: 1 << 20)
      #expect(await library.largest == 6)
    }
    // What is freed in the end may be taken of the reserve.
    try await folder.withLibrary(minimumFreeBytes: .max / 2) { library, _ in
      await library.watchSpace(for: ["front"]) { _ in }
      _ = try await library.storePhoto([UInt8]([1, 2]), .photo(), freeing: .max / 2)
      #expect(await library.largest == 2)
    }
  }

  @Test func `An end is noted until it is forgotten`() async throws {
    let proxy = try await folder.withLibrary { library, _ in
      let proxy = try await library.storeProxy([UInt8]([1]), keeping: kept, .photo())
      let file = try await library.storePhoto([UInt8]([2]), replacement(of: proxy))
      #expect(file.description.replaces == proxy.id && file.deferral == nil)
      try await library.endDeferred(proxy.id, .done, event: [5, 6])
      return proxy
    }
    try await folder.withLibrary { library, _ in
      #expect(try await library.asset(proxy.id)?.deferral == .done)
      #expect(try await library.deferredPhoto(proxy.id)?.event == [5, 6])
      #expect(try await library.replacements(of: proxy.id).map(\.byteCount) == [1])
      try await library.forgetDeferred(proxy.id)
      #expect(try await library.deferredPhotos() == [])
      #expect(try !folder.files.contains(path(proxy)))
      var query = AssetQuery()
      query.deferral = .done
      #expect(try await library.assets(query, limit: 9).assets.map(\.id) == [proxy.id])
      query.deferral = .failed
      #expect(try await library.assets(query, limit: 9).assets == [])
    }
  }

  @Test func `A deleted proxy takes with it what was kept, and nothing replaces it`() async throws {
    try await folder.withLibrary { library, _ in
      let proxy = try await library.storeProxy([UInt8]([1]), keeping: kept, .photo())
      let entry = try #require(try await library.deferredPhoto(proxy.id))
      try await library.remove(proxy.id)
      #expect(try folder.files == [])
      #expect(try await library.deferredPhotos() == [])
      // What was begun before ends here.
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto([UInt8]([2]), replacement(of: proxy))
      }
      #expect(error?.code == .noSuchAsset)
      let beginning = await #expect(throws: MediaLibraryError.self) {
        try await library.beginDeferred(entry)
      }
      #expect(beginning?.code == .noSuchAsset)
      let end = await #expect(throws: MediaLibraryError.self) {
        try await library.endDeferred(proxy.id, .failed, event: [5])
      }
      #expect(end?.code == .noSuchAsset)
      #expect(try folder.files == [])
    }
  }

  @Test func `What replaces a protected proxy is protected`() async throws {
    try await folder.withLibrary { library, _ in
      let proxy = try await library.storeProxy([UInt8]([1]), keeping: kept, .photo())
      try await library.protect(proxy.id, true)
      #expect(try await library.storePhoto([UInt8]([2]), replacement(of: proxy)).isProtected)
      try await library.protect(proxy.id, false)
      #expect(
        try await !library.storePhoto([UInt8]([2]), replacement(of: proxy, .tiff)).isProtected)
    }
  }

  @Test func `An opening deletes what was kept for nobody, and nothing else`() async throws {
    let proxy = try await folder.withLibrary { library, _ in
      try await library.storeProxy([UInt8]([1]), keeping: kept, .photo())
    }
    let orphan = "\(folder.path)/.deferred/\(String(repeating: "a", count: 32)).photo"
    for path in [orphan, "\(orphan).part", "\(folder.path)/.deferred/mine.txt"] {
      try Data([1]).write(to: URL(filePath: path))
    }
    try await folder.withLibrary { library, _ in
      #expect(
        try folder.files == [path(proxy), ".deferred/mine.txt", proxy.relativePath].sorted())
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(path(proxy))")
      let entry = try #require(try await library.deferredPhoto(proxy.id))
      #expect(try await library.beginDeferred(entry) == nil)
      // Another file is not read, however large it is.
      try Data(count: 5).write(to: URL(filePath: "\(folder.path)/\(path(proxy))"))
      #expect(try await library.beginDeferred(entry) == nil)
      // No link is followed, also to the same bytes.
      _ = try folder.write(kept, to: "linked")
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(path(proxy))")
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(path(proxy))", withDestinationPath: "\(folder.path)/linked")
      #expect(try await library.beginDeferred(entry) == nil)
    }
  }

  @Test func `A folder with the name of a file is left alone`() async throws {
    let strange = "\(folder.path)/.deferred/\(String(repeating: "a", count: 32)).photo"
    try FileManager.default.createDirectory(atPath: strange, withIntermediateDirectories: true)
    try await folder.withLibrary { (library, _) async throws in
      #expect(try await library.deferredPhotos() == [])
    }
    #expect(FileManager.default.fileExists(atPath: strange))
  }

  @Test func `A link in the place of the folder is not followed`() async throws {
    let other = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/.deferred", withDestinationPath: other.path)
    try await folder.withLibrary { (library, _) async throws in
      await #expect(throws: MediaLibraryError.self) {
        try await library.storeProxy([UInt8]([1]), keeping: kept, .photo())
      }
      #expect(try other.files == [])
      #expect(try await library.assets(limit: 9) == [])
    }
  }

  @Test func `A row that was lost is made again at the next opening`() async throws {
    let proxy = try await folder.withLibrary { library, _ in
      let proxy = try await library.storeProxy([UInt8]([1]), keeping: kept, .photo())
      try await library.index.deleteDeferred(proxy.id)
      return proxy
    }
    try await folder.withLibrary { library, _ in
      let entry = try #require(try await library.deferredPhoto(proxy.id))
      #expect(entry.byteCount == 4)
      #expect(try await library.beginDeferred(entry) == kept)
      try await library.index.deleteDeferred(proxy.id)
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(path(proxy))")
    }
    try await folder.withLibrary { library, _ in
      let entry = try #require(try await library.deferredPhoto(proxy.id))
      #expect(try await library.beginDeferred(entry) == nil)
    }
  }

  @Test func `Bytes that were damaged are not what was kept`() async throws {
    try await folder.withLibrary { library, _ in
      let proxy = try await library.storeProxy([UInt8]([1]), keeping: kept, .photo())
      let entry = try #require(try await library.deferredPhoto(proxy.id))
      try Data([7, 8, 9, 11]).write(to: URL(filePath: "\(folder.path)/\(path(proxy))"))
      #expect(try await library.beginDeferred(entry) == nil)
    }
  }

  @Test(arguments: [true, false])
  func `While something else is in the place of the folder, the photos wait`(
    isLink: Bool
  ) async throws {
    try await folder.withLibrary { (library, _) async throws in
      let proxy = try await library.storeProxy([UInt8]([1]), keeping: kept, .photo())
      let entry = try #require(try await library.deferredPhoto(proxy.id))
      let place = "\(folder.path)/.deferred"
      try FileManager.default.moveItem(atPath: place, toPath: "\(place)-moved")
      if isLink {
        try FileManager.default.createSymbolicLink(
          atPath: place, withDestinationPath: "\(place)-moved")
      } else {
        try Data([1]).write(to: URL(filePath: place))
      }
      await #expect(throws: MediaLibraryError.self) { try await library.beginDeferred(entry) }
      try FileManager.default.removeItem(atPath: place)
      try FileManager.default.moveItem(atPath: "\(place)-moved", toPath: place)
      #expect(try await library.beginDeferred(entry) == kept)
    }
  }

  @Test func `Numbers that make no sense do no harm`() async throws {
    try await folder.withLibrary { library, _ in
      let proxy = try await library.storeProxy([UInt8]([1]), keeping: kept, .photo())
      for (attempts, byteCount) in [(Int.min, Int.max), (Int.max, 0)] {
        try await library.index.write {
          try $0.execute(
            sql: "UPDATE deferredPhoto SET attempts = ?, byteCount = ?",
            arguments: [attempts, byteCount])
        }
        let entry = try #require(try await library.deferredPhoto(proxy.id))
        #expect(entry.attempts >= 0 && (0...1 << 32).contains(entry.byteCount))
      }
    }
  }
}

extension MediaLibrary {
  fileprivate var largest: Int? { space?.largest }
}
