import CameraProtocol
import Digest
import MediaLibrary
import Testing

@testable import CameraNode

/// The arithmetic of a download. `NodeTests.DownloadTests` tests the chunks themselves.
struct ChunkTests {
  private static let chunk = WireLimits.chunkByteCount

  /// A download of an asset of `byteCount` bytes.
  private func download(
    of byteCount: Int, from offset: Int = 0, credit: UInt32 = 0
  ) async throws -> Download {
    try await withLibrary { library in
      let photo = try await library.storePhoto(
        [UInt8](repeating: 7, count: byteCount),
        AssetDescription(camera: "cam", mediaType: .jpeg, width: 1, height: 1, createdAt: 0))
      return Download(
        asset: photo, reader: try await library.open(photo), offset: offset, credit: credit)
    }
  }

  @Test func `Chunks have no gaps or overlaps, and the last one has the remaining bytes`()
    async throws
  {
    var download = try await download(of: 2 * Self.chunk + 10)
    var chunks: [Range<Int>] = []
    while let chunk = download.nextRead() {
      chunks.append(chunk.offset..<chunk.offset + chunk.count)
      download.didRead(chunk.count)
    }
    #expect(
      chunks == [0..<Self.chunk, Self.chunk..<2 * Self.chunk, 2 * Self.chunk..<2 * Self.chunk + 10])
    #expect(download.isComplete)
  }

  @Test func `One chunk is read at a time`() async throws {
    var download = try await download(of: 2 * Self.chunk)
    #expect(download.nextRead() != nil)
    #expect(download.isReading)
    #expect(download.nextRead() == nil)
    download.didRead(Self.chunk)
    #expect(download.nextRead() != nil)
  }

  @Test func `A chunk costs one credit, and without credit there is none`() async throws {
    var download = try await download(of: 3 * Self.chunk, credit: 1)
    #expect(download.nextRead()?.offset == 0)
    download.didRead(Self.chunk)
    #expect(download.nextRead() == nil)
    #expect(!download.isComplete)
    download.extend(by: 1)
    #expect(download.nextRead()?.offset == Self.chunk)
  }

  @Test(arguments: [(UInt32(0), UInt32(8)), (1, 1), (64, 64)])
  func `Unspecified credit has a default`(asked: UInt32, given: UInt32) async throws {
    #expect(try await download(of: 1, credit: asked).credit == given)
  }

  @Test func `More credit never exceeds the limit`() async throws {
    var download = try await download(of: 1, credit: 60)
    download.extend(by: WireLimits.credit)
    #expect(download.credit == WireLimits.credit)
    download.extend(by: 0)
    #expect(download.credit == WireLimits.credit)
  }

  @Test func `A download that begins at the end has nothing to read`() async throws {
    var download = try await download(of: 5, from: 5)
    #expect(download.isComplete)
    #expect(download.nextRead() == nil)
  }
}
