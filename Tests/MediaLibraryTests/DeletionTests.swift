import Foundation
import GRDB
import TestSupport
import Testing

@testable import MediaLibrary

@Suite struct DeletionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `A deleted asset is neither listed nor on the disk`() async throws {
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([1], .photo())
      let other = try await library.storePhoto([2], .photo())
      #expect(try await library.remove(asset.id) == asset)
      #expect(try folder.files == [other.relativePath])
      #expect(try await library.assets(limit: 9) == [other])
      let again = await #expect(throws: MediaLibraryError.self) {
        try await library.remove(asset.id)
      }
      #expect(again?.code == .noSuchAsset)
    }
  }

  @Test func `A protected asset stays until its protection ends, also after a new opening`()
    async throws
  {
    let asset = try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([1], .photo())
      #expect(try await library.protect(asset.id, true).asset.isProtected)
      return asset
    }
    try await folder.withLibrary { (library, _) async throws in
      let refused = await #expect(throws: MediaLibraryError.self) {
        try await library.remove(asset.id)
      }
      #expect(refused?.code == .assetProtected)
      #expect(refused?.message.contains(asset.relativePath) == true)
      #expect(try await library.bytes(of: asset) == [1])
      #expect(try await !library.protect(asset.id, false).asset.isProtected)
      try await library.remove(asset.id)
      #expect(try folder.files == [])
    }
  }

  @Test func `An asset whose file is gone can be deleted`() async throws {
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([1], .photo())
      try FileManager.default.removeItem(atPath: "\(folder.path)/front")
      try await library.remove(asset.id)
      #expect(try await library.assets(limit: 9) == [])
    }
  }

  @Test func `A link in the file's place is deleted, and what it leads to stays`() async throws {
    try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([1], .photo())
      let path = "\(folder.path)/\(asset.relativePath)"
      try folder.write("mine", to: "notes.txt")
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "\(folder.path)/notes.txt")
      try await library.remove(asset.id)
      #expect(try folder.files == ["notes.txt"])
    }
  }

  @Test(arguments: ["front", "front/2026-05-04"])
  func `Nothing is deleted behind a link in a folder's place`(linked: String) async throws {
    let other = try TemporaryFolder()
    try await folder.withLibrary { (library, _) async throws in
      let asset = try await library.storePhoto([1], .photo())
      try FileManager.default.moveItem(
        atPath: "\(folder.path)/\(linked)", toPath: "\(other.path)/moved")
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(linked)", withDestinationPath: "\(other.path)/moved")
      let error = await #expect(throws: MediaLibraryError.self) {
        try await library.remove(asset.id)
      }
      #expect(error?.code == .notAFolder)
      #expect(try await library.bytes(of: asset) == [1], "The asset is unchanged")
      #expect(try await library.index.deletionsToFinish() == [])
    }
  }

  @Test func `A folder in the file's place stays, and the asset can be deleted`() async throws {
    try await folder.withLibrary { (library, _) async throws in
      let asset = try await library.storePhoto([1], .photo())
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(asset.relativePath)")
      try folder.write("mine", to: "\(asset.relativePath)/notes.txt")
      try await library.remove(asset.id)
      #expect(try folder.files == ["\(asset.relativePath)/notes.txt"])
      #expect(try await library.assets(limit: 9) == [])
    }
  }

  @Test func `An asset that is gone behind a linked folder can be deleted`() async throws {
    let other = try TemporaryFolder()
    try await folder.withLibrary { (library, _) async throws in
      let asset = try await library.storePhoto([1], .photo())
      try FileManager.default.removeItem(atPath: "\(folder.path)/front")
      try folder.link("front", to: other.path)
      try await library.remove(asset.id)
      #expect(try await library.assets(limit: 9) == [])
    }
  }

  @Test(arguments: [false, true])
  func `An asset that a forged index has outside of the library is deleted without the file`(
    isRelative: Bool
  ) async throws {
    let other = try TemporaryFolder()
    let place = isRelative ? "../\(URL(filePath: other.path).lastPathComponent)" : other.path
    try other.write("mine", to: "notes.jpg")
    let asset = try await folder.withLibrary { library, _ in
      try await library.storePhoto([1], .photo())
    }
    let index = try DatabaseQueue(path: "\(folder.path)/library.sqlite")
    try await index.write { database in
      try database.execute(
        sql: "UPDATE asset SET path = ?", arguments: ["\(place)/notes.jpg"])
    }
    try index.close()
    try await folder.withLibrary { (library, _) async throws in
      try await library.remove(asset.id)
      #expect(try await library.assets(limit: 9) == [])
    }
    #expect(try other.names == ["notes.jpg"])
  }

  @Test func `A deletion is announced in the index, so that no power cut leaves half of it`()
    async throws
  {
    let asset = try await folder.withLibrary { library, _ in
      try await library.storePhoto([1], .photo())
    }
    let index = try DatabaseQueue(path: "\(folder.path)/library.sqlite")
    try await index.write { database in
      try database.execute(
        sql: """
          CREATE TRIGGER announced BEFORE DELETE ON asset WHEN NOT OLD.isBeingDeleted
          BEGIN SELECT RAISE(ABORT, 'the deletion was not announced'); END
          """)
    }
    try index.close()
    try await folder.withLibrary { library, _ in
      try await library.remove(asset.id)
      #expect(try await library.assets(limit: 9) == [])
    }
  }

  @Test(arguments: [false, true])
  func `The next opening finishes a deletion that was cut off`(fileIsGone: Bool) async throws {
    let asset = try await folder.withLibrary { library, _ in
      let asset = try await library.storePhoto([1], .photo())
      try await library.index.setBeingDeleted(true, asset.id)
      return asset
    }
    if fileIsGone {
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(asset.relativePath)")
    }
    try await folder.withLibrary { (library, findings) async throws in
      #expect(findings == [.finishedDeletion(path: asset.relativePath)])
      #expect(try folder.files == [])
      #expect(try await library.asset(asset.id) == nil)
    }
  }
}
