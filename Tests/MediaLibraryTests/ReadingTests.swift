import Foundation
import GRDB
@testable import MediaLibrary
import TestSupport
import Testing

@Suite struct ReadingTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A reader returns any range of the file and refuses ranges beyond it`() async throws {
    try await folder.withLibrary { library, _ in
      let bytes = [UInt8](0..<200)
      let reader = try await library.open(try await library.storePhoto(bytes, .photo()))
      defer { reader.close() }
      for range in [0..<200, 0..<1, 199..<200, 50..<150, 0..<0, 200..<200] {
        #expect(
          try reader.read(offset: range.lowerBound, count: range.count) == Array(bytes[range]))
      }
      for (offset, count) in [(0, 201), (200, 1), (201, 0), (-1, 1), (0, -1), (1, .max), (.max, 1)]
      {
        let error = #expect(throws: MediaLibraryError.self) {
          try reader.read(offset: offset, count: count)
        }
        #expect(error?.code == .invalidArgument)
      }
    }
  }

  @Test func `A reader still works after its asset is removed, until it is closed`() async throws {
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([1, 2, 3], .photo())
      let reader = try await library.open(asset)
      try await library.remove(asset.id)
      #expect(try reader.read(offset: 1, count: 2) == [2, 3])
      reader.close()
      reader.close()
      let error = #expect(throws: MediaLibraryError.self) { try reader.read(offset: 0, count: 1) }
      #expect(error?.code == .notOpen)
      let gone = await #expect(throws: MediaLibraryError.self) { try await library.open(asset) }
      #expect(gone?.code == .noSuchAsset)
    }
  }

  @Test func `A file that was deleted or shortened is not served`() async throws {
    try await folder.withLibrary { library, _ in
      let deleted = try await library.storePhoto([1, 2, 3], .photo())
      let cut = try await library.storePhoto([1, 2, 3], .photo())
      try FileManager.default.removeItem(atPath: folder.path + "/" + deleted.relativePath)
      try folder.write("x", to: cut.relativePath)
      for (asset, code) in [(deleted, MediaLibraryError.Code.assetMissing), (cut, .assetChanged)] {
        let error = await #expect(throws: MediaLibraryError.self) {
          try await library.bytes(of: asset)
        }
        #expect(error?.code == code)
        #expect(error?.message.contains(asset.relativePath) == true)
      }
    }
  }

  @Test(arguments: ["../../../etc/passwd", "front/../../passwd", "/etc/passwd", "front/day/.."])
  func `A forged index does not lead out of the folder`(path: String) async throws {
    let id = try await folder.withLibrary { library, _ in
      try await library.storePhoto([1], .photo()).id
    }
    let index = try DatabaseQueue(path: folder.path + "/library.sqlite")
    try await index.write { try $0.execute(sql: "UPDATE asset SET path = ?", arguments: [path]) }
    try index.close()
    try await folder.withLibrary { library, _ in
      let asset = try #require(try await library.asset(id))
      let opening = await #expect(throws: MediaLibraryError.self) { try await library.open(asset) }
      #expect(opening?.code == .invalidArgument)
    }
  }

  @Test func `A link in a file's place is not followed`() async throws {
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([1], .photo())
      let path = folder.path + "/" + asset.relativePath
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
      let error = await #expect(throws: MediaLibraryError.self) { try await library.open(asset) }
      #expect(error?.code == .assetChanged)
    }
  }
}
