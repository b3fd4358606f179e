import Foundation
import MediaLibrary
import TestSupport
import Testing

@Suite struct StoringTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A stored photo is listed and its file has the photo's bytes`() async throws {
    try await folder.withLibrary { library, _ in
      let bytes = [UInt8](0...255)
      let id = [UInt8](1...16)
      let asset = try await library.storePhoto(bytes, .photo(requestID: id))

      #expect(
        asset.relativePath
          == "front/2026-05-04/front-20260504T101112.345Z-\(asset.id.description.prefix(8)).jpg"
      )
      #expect(try folder.files == [asset.relativePath])
      #expect(try folder.read(asset.relativePath) == bytes)
      #expect(asset.byteCount == 256)
      #expect(asset.description == .photo(requestID: id))
      #expect(asset.duration == nil && asset.frameCount == nil)
      #expect(asset.condition == .intact && !asset.isProtected)
      #expect(try await library.asset(asset.id) == asset)
      #expect(try await library.assets(limit: 10) == [asset])
      #expect(try await library.bytes(of: asset) == bytes)
    }
  }

  @Test func `What a file shows of a photo is kept`() async throws {
    let parts: [AssetPart?] = [nil, .depth, .matte]
    let ids = try await folder.withLibrary { library, _ in
      var ids: [AssetID] = []
      for part in parts {
        var description = AssetDescription.photo()
        description.part = part
        ids.append(try await library.storePhoto([1], description).id)
      }
      return ids
    }
    let kept = try await folder.withLibrary { library, _ in
      var kept: [AssetPart?] = []
      for id in ids { kept.append(try await library.asset(id)?.description.part) }
      return kept
    }
    #expect(kept == parts)
  }

  @Test func `The digest is the one that sha256sum prints`() async throws {
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([UInt8]("a picture".utf8), .photo())
      let printed = try output(of: "sha256sum", ["\(folder.path)/\(asset.relativePath)"])
      #expect(printed.starts(with: "\(asset.sha256) ".utf8))
    }
  }

  @Test func `Two photos of one moment are two files`() async throws {
    try await folder.withLibrary { library, _ in
      let one = try await library.storePhoto([1], .photo())
      let two = try await library.storePhoto([2], .photo())
      #expect(one.id != two.id && one.relativePath != two.relativePath)
      #expect(try await library.bytes(of: one) == [1])
      #expect(try await library.bytes(of: two) == [2])
    }
  }

  @Test func `A library that is opened again has all its assets`() async throws {
    let (photo, movie) = try await folder.withLibrary { library, _ in
      let photo = try await library.storePhoto([1, 2, 3], .photo(requestID: [UInt8](1...16)))
      let draft = try await library.beginMovie(.movie())
      try Data([4, 5]).write(to: URL(filePath: draft.path))
      let movie = try await library.finishMovie(
        draft,
        duration: .milliseconds(1500),
        frameCount: 45
      )
      return (photo, movie)
    }
    try await folder.withLibrary { library, findings in
      #expect(findings == [])
      #expect(try await library.asset(photo.id) == photo)
      #expect(try await library.asset(movie.id) == movie)
      let totals = try await library.totals()
      #expect(totals.count == 2 && totals.byteCount == 5)
    }
  }

  @Test func `Photos that many tasks store at once are all kept`() async throws {
    try await folder.withLibrary { library, _ in
      let stored = try await withThrowingTaskGroup { group in
        for index in 0..<64 {
          group.addTask {
            let bytes = [UInt8](repeating: UInt8(index), count: 1000 + index)
            return (try await library.storePhoto(bytes, .photo("camera\(index % 4)")), bytes)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for (asset, bytes) in stored {
        #expect(try folder.read(asset.relativePath) == bytes)
      }
      #expect(try await library.totals().count == 64)
      #expect(try await library.assets(camera: "camera3", limit: 100).count == 16)
    }
  }

  @Test func `Assets are listed newest first, of one camera or all, up to the limit`() async throws
  {
    try await folder.withLibrary { library, _ in
      let old = try await library.storePhoto([1], .photo("left", at: 1_000_000_000))
      let new = try await library.storePhoto([1], .photo("right", at: 3_000_000_000))
      let middle = try await library.storePhoto([1], .photo("left", at: 2_000_000_000))
      #expect(try await library.assets(limit: 9) == [new, middle, old])
      #expect(try await library.assets(limit: 2) == [new, middle])
      #expect(try await library.assets(camera: "left", limit: 9) == [middle, old])
      #expect(try await library.assets(camera: "none", limit: 9) == [])
      #expect(try await library.assets(limit: -1) == [])
    }
  }

  @Test func `Assets are found by their id and by their request`() async throws {
    try await folder.withLibrary { library, _ in
      let (one, two) = ([UInt8](1...16), [UInt8](2...17))
      let asset = try await library.storePhoto([1], .photo(requestID: one))
      let newer = try await library.storePhoto([1], .photo("left", at: .max, requestID: two))
      #expect(try await library.assets(idPrefix: asset.id.bytes, limit: 9) == [asset])
      #expect(try await library.assets(requestID: one, limit: 9) == [asset])
      #expect(try await library.assets(requestID: [UInt8](3...18), limit: 9) == [])
      #expect(try await library.assets(camera: "left", requestID: two, limit: 9) == [newer])
      #expect(try await library.assets(camera: "left", idPrefix: asset.id.bytes, limit: 9) == [])
      #expect(try await library.assets(camera: "left", requestID: two, limit: 0) == [])
    }
  }

  @Test(arguments: [
    "", ".", "..", "../front", "a/b", "/etc", "a b", "front\0", "kamera-ä", "~", "a\n",
    String(repeating: "a", count: 33),
  ])
  func `A camera's name that cannot be part of a path is refused`(name: String) async throws {
    try await folder.withLibrary { (library, _) async throws in
      let photo = await #expect(throws: MediaLibraryError.self) {
        try await library.storePhoto([1], .photo(name))
      }
      let movie = await #expect(throws: MediaLibraryError.self) {
        try await library.beginMovie(.movie(name))
      }
      #expect(photo?.code == .invalidArgument && movie?.code == .invalidArgument)
      #expect(try folder.files == [])
      #expect(try await library.totals().count == 0)
    }
  }
}
