import CameraProtocol
import Foundation
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Verifying and repairing the library.
  struct UpkeepTests {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
    }

    private func verify(
      _ client: TestClient, _ edit: (inout WireLibraryVerifyRequest) -> Void = { _ in }
    ) async throws -> (progress: [WireLibraryProgress], result: WireLibraryVerifyReply) {
      let replies = try await client.ask(.libraryVerify(.with(edit)))
      guard case .libraryVerify(let result)? = replies.last?.wire.body else {
        throw Unexpected(replies.last)
      }
      return (replies.compactMap(\.wire.body?.libraryProgress), result)
    }

    private func repair(
      _ client: TestClient, dropsMissing: Bool = false
    ) async throws -> WireLibraryRepairReply {
      let reply = try await client.ask(.libraryRepair(.with { $0.dropMissing = dropsMissing })).last
      guard case .libraryRepair(let result)? = reply?.wire.body else { throw Unexpected(reply) }
      return result
    }

    private func inFolder<R: Sendable>(
      _ body: @Sendable (TestNode) async throws -> R
    ) async throws -> R {
      let library = "\(folder.path)/library"
      return try await TestNode.run(configure: { $0.library = library }) { try await body($0) }
    }

    @Test func `Files are compared with what was stored, and what differs is named`() async throws {
      try await TestNode.run { test in
        let client = test.client
        var photos = try await [
          client.photo(.with { $0.tags = ["a"] }), client.photo(.with { $0.tags = ["a"] }),
        ].map(\.result.asset)
        // The last one is of a later frame.
        try await client.letPass(frames: 2)
        photos.append(try await client.storedPhoto().result.asset)
        let whole = try await verify(client)
        #expect(whole.result.intact == 3 && whole.result.flawed.isEmpty)
        #expect(whole.result.bytes == photos.reduce(0) { $0 + $1.byteCount })
        #expect(whole.progress.first?.total == 3)
        #expect(whole.progress.first?.totalBytes == whole.result.bytes)

        let (gone, changed) = (photos[0], photos[2])
        try FileManager.default.removeItem(atPath: "\(test.library)/\(gone.path)")
        var bytes = try test.file(changed.path)
        bytes[bytes.count / 2] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: "\(test.library)/\(changed.path)"))
        let flawed = try await verify(client).result
        #expect((flawed.intact, flawed.missing, flawed.changed) == (1, 1, 1))
        #expect(flawed.flawed.map(\.id) == [changed.id, gone.id])
        #expect(flawed.flawed.map(\.condition) == [.changed, .missing])
        let tagged = try await verify(client) { $0.tags = ["a"] }.result
        #expect((tagged.intact, tagged.missing, tagged.changed) == (1, 1, 0))
        let late = try await verify(client) { $0.sinceWallNs = changed.createdWallNs }.result
        #expect((late.intact, late.missing, late.changed) == (0, 0, 1))
        let error = try await client.error(.libraryVerify(.with { $0.camera = "other" }))
        #expect(error.code == .noSuchCamera)
      }
    }

    @Test func `A comparison can be cancelled, and photos are stored meanwhile`() async throws {
      let library = "\(folder.path)/library"
      // The file is sparse, and so large that it cannot be read before the photo is stored.
      let asset = try await inFolder { test in try await test.client.storedPhoto().result.asset }
      let byteCount = 16 << 30
      try output(of: "truncate", ["--size", "\(byteCount)", "\(library)/\(asset.path)"])
      try output(
        of: "python3",
        [
          "-c",
          "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); "
            + "d.execute('UPDATE asset SET byteCount = ?', (int(sys.argv[2]),)); d.commit()",
          "\(library)/library.sqlite", "\(byteCount)",
        ])
      try await inFolder { test in
        let client = test.client
        let id = RequestID.random()
        try await client.send(.libraryVerify(.init()), id: id)
        let progress = try await client.progress(id) { $0?.libraryProgress }
        #expect(progress.totalBytes == UInt64(byteCount))
        _ = try await client.storedPhoto()
        #expect(try await client.cancel(id) == .cancelled)
        guard case .error(let error)? = try await client.final(id) else {
          throw Unexpected("no error")
        }
        #expect(error.code == .cancelled)
        // The next one has its turn.
        let next = try await verify(client) { $0.sinceWallNs = asset.createdWallNs + 1 }
        #expect(next.result.intact == 1)
        // One whose client has gone ends too.
        try await test.withClient { other in
          let id = RequestID.random()
          try await other.send(.libraryVerify(.init()), id: id)
          _ = try await other.progress(id) { $0?.libraryProgress }
        }
        let last = try await verify(client) { $0.sinceWallNs = asset.createdWallNs + 1 }
        #expect(last.result.intact == 1)
      }
    }

    @Test func `When the index is lost, all that the node made is listed again`() async throws {
      let library = "\(folder.path)/library"
      let made = try await inFolder { test in
        let client = test.client
        let formats: [WirePhotoFormat] = [.jpeg, .png, .tiff]
        let photo = try await client.photo(
          .with {
            ($0.name, $0.tags) = ("Früh <3>", ["a & b", "zug"])
            $0.outputs = formats.map { format in .with { $0.format = format } }
          })
        let recording = try await client.startRecording { $0.name = "Rangieren" }
        try await client.letRecord(frames: 3)
        let movie = try await client.stopRecording(recording).asset
        let fragmented = try await client.startRecording { $0.codec = .h264 }
        try await client.letRecord(frames: 3)
        let other = try await client.stopRecording(fragmented).asset
        #expect(other.path.hasSuffix(".mp4"))
        _ = try await client.protect([movie.id], true)
        return photo.result.pictures.flatMap(\.files).map(\.asset) + [movie, other]
      }
      #expect(made.count == 5)
      for end in ["", "-wal"]
      where FileManager.default.fileExists(
        atPath: "\(library)/library.sqlite\(end)")
      {
        try FileManager.default.removeItem(atPath: "\(library)/library.sqlite\(end)")
      }
      let mine = "cam/\(made[0].path.split(separator: "/")[1])/mine.jpg"
      try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(library)/\(mine)"))
      try await inFolder { test in
        let client = test.client
        #expect(try await client.assets { _ in }.isEmpty)
        #expect(try await client.status().library.unlistedFiles == 6)
        let result = try await repair(client)
        #expect(result.adopted == 5 && result.left == 1)
        #expect(result.changes.filter { $0.kind == .left }.map(\.path) == [mine])
        #expect(try await client.status().library.unlistedFiles == 1)
        let listed = try await client.assets { _ in }
        #expect(Set(listed.map(\.path)) == Set(made.map(\.path)))
        for asset in made {
          let again = try #require(listed.first { $0.path == asset.path })
          #expect(again.mediaType == asset.mediaType && again.size == asset.size)
          #expect(again.sha256 == asset.sha256 && again.byteCount == asset.byteCount)
          #expect(again.camera == "cam" && again.id.prefix(4) == asset.id.prefix(4))
          #expect(again.name == asset.name)
          #expect(again.tags == (asset.mediaType.hasPrefix("image") ? asset.tags : []))
          #expect(again.frames == asset.frames && again.durationNs == asset.durationNs)
          let distance = again.createdWallNs - asset.createdWallNs
          #expect(abs(distance) < 1_000_000, "\(asset.path)")
          #expect(!again.protected)
        }
        let none = try await repair(client)
        #expect(none.adopted == 0 && none.left == 1)
      }
    }

    @Test func `A file that says what no request may say has no name and no tags`() async throws {
      let library = "\(folder.path)/library"
      let photo = try await inFolder { test in
        try await test.client.photo(.with { ($0.name, $0.tags) = ("a name", ["zug", "rot"]) })
          .result.asset
      }
      let file = URL(fileURLWithPath: "\(library)/\(photo.path)")
      var bytes = try Data(contentsOf: file)
      let tag = try #require(bytes.range(of: Data("<rdf:li>zug<".utf8)))
      bytes.replaceSubrange(tag, with: Data("<rdf:li>z,g<".utf8))
      let other = file.deletingLastPathComponent()
        .appending(path: "cam-20260504T101112.345Z-01234567.jpg")
      try bytes.write(to: other)
      try await inFolder { test in
        let result = try await repair(test.client)
        let adopted = try #require(result.changes.first?.asset)
        #expect(result.adopted == 1 && adopted.path.hasSuffix(other.lastPathComponent))
        #expect(adopted.name == "a name" && adopted.tags.isEmpty && adopted.size == photo.size)
        #expect(adopted.createdWallNs == 1_777_889_472_345_000_000)
      }
    }

    @Test func `A missing file is found elsewhere, and the rest is dropped only by request`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        let moved = try await client.storedPhoto().result.asset
        let gone = try await client.storedPhoto().result.asset
        let place = "cam/elsewhere/photo.jpg"
        try FileManager.default.createDirectory(
          atPath: "\(test.library)/cam/elsewhere", withIntermediateDirectories: false)
        try FileManager.default.moveItem(
          atPath: "\(test.library)/\(moved.path)", toPath: "\(test.library)/\(place)")
        try FileManager.default.removeItem(atPath: "\(test.library)/\(gone.path)")
        let found = try await repair(client)
        #expect(found.found == 1 && found.dropped == 0)
        #expect(found.changes.first?.asset.id == moved.id && found.changes.first?.path == place)
        #expect(try await client.assets { $0.id = moved.id }.first?.condition == .intact)
        #expect(try await client.assets { $0.id = gone.id }.first?.condition == .missing)
        let dropped = try await repair(client, dropsMissing: true)
        #expect(dropped.dropped == 1 && dropped.changes.first?.asset.id == gone.id)
        #expect(try await client.assets { _ in }.map(\.id) == [moved.id])
      }
    }

    @Test func `A movie that was set aside is completed, and one that cannot be stays`()
      async throws
    {
      let library = "\(folder.path)/library"
      let movies = [
        "cam-20260504T101112.345Z-01234567.mkv", "cam-20260504T101113.345Z-12345678.mkv",
      ]
      try FileManager.default.createDirectory(
        atPath: "\(library)/set-aside", withIntermediateDirectories: true)
      try KilledNode.movie(frames: 5).write(
        to: URL(fileURLWithPath: "\(library)/set-aside/\(movies[0])"))
      try Data("no movie".utf8).write(to: URL(fileURLWithPath: "\(library)/set-aside/\(movies[1])"))
      try await inFolder { test in
        let client = test.client
        let result = try await repair(client)
        #expect(result.recovered == 1 && result.left == 1)
        let movie = try #require(try await client.assets { _ in }.first)
        #expect(movie.frames == 5 && movie.path.hasSuffix(movies[0]))
        #expect(movie.createdWallNs == KilledNode.firstFrame)
        #expect(try test.file("set-aside/\(movies[1])") == Array("no movie".utf8))
        #expect(
          !FileManager.default.fileExists(atPath: "\(library)/set-aside/\(movies[0])"))
      }
    }
  }
}

extension WireReply.OneOf_Body {
  fileprivate var libraryProgress: WireLibraryProgress? {
    guard case .libraryProgress(let progress) = self else { return nil }
    return progress
  }
}
