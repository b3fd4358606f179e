import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import MediaLibrary

@Suite(.enabled(if: PowerCut.canBeMade, "only root may mount a disk")) struct PowerCutTests {
  @Test func `Acknowledged photos and movies survive a power cut`() async throws {
    let cut = try PowerCut()
    defer { cut.unmount() }
    let (photo, movie, draft) = try await cut.disk.withLibrary { library, _ in
      let photo = try await library.storePhoto([1, 2, 3], .photo())
      let written = try await library.beginMovie(.movie())
      try Data([4, 5]).write(to: URL(filePath: written.path))
      let movie = try await library.finishMovie(written, duration: .seconds(1), frameCount: 1)
      let draft = try await library.beginMovie(.movie("left", requestID: [UInt8](1...16)))
      try cut.happen()
      return (photo, movie, draft)
    }
    try cut.end()
    try await cut.survivor.withLibrary { (library, findings) async throws in
      #expect(findings == [])
      #expect(try await library.asset(photo.id) == photo)
      #expect(try await library.bytes(of: photo) == [1, 2, 3])
      #expect(try await library.asset(movie.id) == movie)
      #expect(try await library.bytes(of: movie) == [4, 5])
      #expect(try await library.unfinishedMovies().map(\.description) == [draft.description])
    }
  }

  @Test func `A proxy and what is kept for it survive a power cut`() async throws {
    let cut = try PowerCut()
    defer { cut.unmount() }
    let proxy = try await cut.disk.withLibrary { library, _ in
      let proxy = try await library.storeProxy(
        [UInt8]([1]), keeping: [UInt8]([7, 8]), .photo())
      try cut.happen()
      return proxy
    }
    try cut.end()
    try await cut.survivor.withLibrary { (library, findings) async throws in
      #expect(findings == [])
      #expect(try await library.asset(proxy.id) == proxy)
      let entry = try #require(try await library.deferredPhoto(proxy.id))
      #expect(try await library.beginDeferred(entry) == [7, 8])
    }
  }

  @Test func `A removed asset does not come back after a power cut`() async throws {
    let cut = try PowerCut()
    defer { cut.unmount() }
    try await cut.disk.withLibrary { library, _ in
      let photo = try await library.storePhoto([1], .photo())
      try await library.discard(try await library.beginMovie(.movie()))
      try await library.remove(photo.id)
      try cut.happen()
    }
    try cut.end()
    try await cut.survivor.withLibrary { (library, findings) async throws in
      #expect(findings == [])
      #expect(try await library.totals().count == 0)
      #expect(try await library.unfinishedMovies() == [])
      #expect(try cut.survivor.files == [])
    }
  }

  @Test(arguments: [false, true])
  func `A power cut during a deletion leaves nothing of the asset`(fileIsGone: Bool) async throws {
    let cut = try PowerCut()
    defer { cut.unmount() }
    let photo = try await cut.disk.withLibrary { library, _ in
      let photo = try await library.storePhoto([1], .photo())
      // The steps of a deletion, up to the power cut.
      try await library.index.setBeingDeleted(true, photo.id)
      if fileIsGone { try Folder.removeFile(photo.relativePath, below: cut.disk.path) }
      try cut.happen()
      return photo
    }
    try cut.end()
    try await cut.survivor.withLibrary { (library, findings) async throws in
      #expect(findings == [.finishedDeletion(path: photo.relativePath)])
      #expect(try await library.asset(photo.id) == nil)
      #expect(try cut.survivor.files == [])
    }
  }
}
