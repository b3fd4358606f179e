import EventLoop
import Foundation
import OperatingSystem
import TestSupport
import Testing
import Words

@testable import MediaLibrary

@Suite struct QuotaTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func withLibrary<R: Sendable>(
    _ name: String = "library", _ body: (MediaLibrary) async throws -> R
  ) async throws -> R {
    let loop = EventLoop(name: "quota")
    defer { loop.stop() }
    let library = try MediaLibrary(
      folder: "\(folder.path)/\(name)", loop: loop, minimumFreeBytes: 0)
    _ = try await library.open()
    return try await attempt {
      try await body(library)
    } finally: {
      await library.close()
    }
  }

  /// What a model of the library has of an asset.
  private struct Entry: Hashable {
    var id: AssetID
    var camera: String
    var createdAt: Int64
    var byteCount: Int
    var isProtected = false
    var isRead = false

    var isRemovable: Bool { !isProtected && !isRead }
  }

  /// What is left of the entries, by the rules alone.
  private func kept(_ entries: [Entry], _ quota: LibraryQuota, now: Int64) -> Set<AssetID> {
    var left = entries.sorted { $0.createdAt < $1.createdAt }
    let single = quota.cameras.sorted { $0.key < $1.key }.map { ($0.key as String?, $0.value) }
    for (camera, limits) in single + [(nil, quota.all)] {
      let isOf = { (entry: Entry) in camera == nil || entry.camera == camera }
      if let age = limits.age {
        let moment = now - Int64(age / .nanoseconds(1))
        left.removeAll { isOf($0) && $0.isRemovable && $0.createdAt < moment }
      }
      while let most = limits.byteCount,
        left.filter(isOf).reduce(0, { $0 + $1.byteCount }) > most,
        let oldest = left.firstIndex(where: { entry in
          isOf(entry) && entry.isRemovable
            && left.contains { $0.camera == entry.camera && $0.createdAt > entry.createdAt }
        })
      {
        left.remove(at: oldest)
      }
    }
    return Set(left.map(\.id))
  }

  @Test func `A quota removes the right assets and nothing else`() async throws {
    var random = SeededGenerator(for: "A quota removes the right assets")
    let histories =
      ProcessInfo.processInfo.environment["CAMERABUS_HISTORIES"].flatMap(Int.init) ?? 8
    for history in 0..<histories {
      let seed = random.next()
      try await withLibrary("library-\(history)") { library in
        try await follow(library, SeededGenerator(seed: seed))
      }
      try FileManager.default.removeItem(atPath: "\(folder.path)/library-\(history)")
    }
  }

  private func follow(_ library: MediaLibrary, _ generator: SeededGenerator) async throws {
    var random = generator
    let cameras = ["front", "back", "side"]
    let now = Int64(Date().timeIntervalSince1970 * 1e9)
    var entries: [Entry] = []
    var readers: [(AssetReader, AssetID)] = []
    for step in 0..<12 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let camera = cameras.randomElement(using: &random) ?? "front"
        let count = Int.random(in: 1...2000, using: &random)
        // No two of one moment, and none near a limit of age.
        let createdAt = now - Int64.random(in: 1...1_000_000, using: &random) * 100_000_000 - 1
        guard !entries.contains(where: { $0.createdAt == createdAt }) else { continue }
        let asset = try await library.storePhoto(
          [UInt8](repeating: 1, count: count), .photo(camera, at: createdAt))
        entries.append(
          Entry(id: asset.id, camera: camera, createdAt: createdAt, byteCount: count))
      }
      for index in entries.indices where Int.random(in: 0..<6, using: &random) == 0 {
        entries[index].isProtected.toggle()
        try await library.protect(entries[index].id, entries[index].isProtected)
      }
      for index in entries.indices where Int.random(in: 0..<8, using: &random) == 0 {
        guard !entries[index].isRead else { continue }
        let id = entries[index].id
        let asset = try #require(try await library.asset(id))
        readers.append((try await library.open(asset), id))
        entries[index].isRead = true
      }
      if Bool.random(using: &random), let (reader, id) = readers.popLast() {
        await library.close(reader)
        if let index = entries.firstIndex(where: { $0.id == id }) { entries[index].isRead = false }
      }
      var quota = LibraryQuota()
      if Bool.random(using: &random) {
        quota.all.byteCount = .random(in: 0...12_000, using: &random)
      }
      if Bool.random(using: &random) {
        quota.all.age = .seconds(Int.random(in: 1...100_000, using: &random)) + .milliseconds(50)
      }
      for camera in cameras where Int.random(in: 0..<3, using: &random) == 0 {
        quota.cameras[camera] = LibraryQuota.Limits(
          byteCount: .random(in: 0...5000, using: &random))
      }
      let chosen = quota
      await library.perform { library in
        library.quota = chosen
        while library.sweep() {}
      }
      let expected = kept(entries, quota, now: Int64(Date().timeIntervalSince1970 * 1e9))
      entries.removeAll { !expected.contains($0.id) }
      let present = try await library.assets(limit: 1000).map(\.id)
      #expect(Set(present) == expected, "step \(step), \(generator)")
      let usage = try await library.perform { try $0.index.usage() }
      for camera in cameras {
        let own = entries.filter { $0.camera == camera }
        #expect(usage[camera]?.count ?? 0 == own.count)
        #expect(usage[camera]?.byteCount ?? 0 == own.reduce(0) { $0 + $1.byteCount })
      }
      let isTooMuch = quota.all.byteCount.map { most in
        entries.reduce(0) { $0 + $1.byteCount } > most
      }
      if isTooMuch == true {
        #expect(await library.perform { $0.lastQuotaReport?.error?.code } == .quotaExceeded)
      }
    }
    for (reader, _) in readers { await library.close(reader) }
  }

  @Test func `A library keeps to its quota while it stores, and tells each removal`() async throws {
    try await withLibrary { library in
      let removals = Recorded<(AssetID, LibraryQuota.Reason)>()
      var quota = LibraryQuota()
      quota.all.byteCount = 10_000
      await library.keep(to: quota) { report in
        for (asset, reason) in report.removed { removals.add((asset.id, reason)) }
      }
      var stored: [AssetID] = []
      for index in 0..<30 {
        let asset = try await library.storePhoto(
          [UInt8](repeating: 7, count: 1000), .photo(at: 1_777_889_472_000_000_000 + Int64(index)))
        stored.append(asset.id)
      }
      let told = await removals.atLeast(20)
      #expect(told.map(\.0) == Array(stored.prefix(20)))
      #expect(told.allSatisfy { $0.1 == .size })
      #expect(try await library.assets(limit: 100).count == 10)
      // The files are gone too.
      let files = try FileManager.default.subpathsOfDirectory(atPath: library.folder)
      #expect(files.count { $0.hasSuffix(".jpg") } == 10)
    }
  }

  @Test func `A library of an earlier version learns what its assets take`() async throws {
    try await withLibrary { library in
      for camera in ["front", "front", "back"] {
        _ = try await library.storePhoto([1, 2, 3], .photo(camera))
      }
    }
    try EarlierIndex(in: "\(folder.path)/library").takeBack(["7", "8"])
    try await withLibrary { library in
      let usage = try await library.perform { try $0.index.usage() }
      #expect(
        usage["front"]?.count == 2 && usage["front"]?.byteCount == 6 && usage["back"]?.count == 1)
    }
  }
}

extension MediaLibrary {
  /// Runs `body` on the library's thread.
  fileprivate func perform<R: Sendable>(
    _ body: @Sendable (isolated MediaLibrary) throws -> R
  ) rethrows -> R {
    try body(self)
  }
}
