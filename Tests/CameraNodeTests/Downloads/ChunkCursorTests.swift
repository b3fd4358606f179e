import CameraProtocol
import Testing

@testable import CameraNode

/// The arithmetic of a cursor. `NodeTests.DownloadTests` tests the chunks themselves.
struct ChunkCursorTests {
  private static let chunk = WireLimits.chunkByteCount

  private func cursor(
    in byteCount: Int, from offset: Int = 0, credit: UInt32 = 0
  ) -> ChunkCursor {
    ChunkCursor(byteCount: byteCount, offset: offset, credit: credit)
  }

  @Test func `Chunks have no gaps or overlaps, and the last one has the remaining bytes`() {
    var cursor = cursor(in: 2 * Self.chunk + 10)
    var chunks: [Range<Int>] = []
    while let chunk = cursor.next() { chunks.append(chunk) }
    #expect(
      chunks == [0..<Self.chunk, Self.chunk..<2 * Self.chunk, 2 * Self.chunk..<2 * Self.chunk + 10])
    #expect(cursor.isComplete)
  }

  @Test func `A chunk costs one credit, and without credit there is none`() {
    var cursor = cursor(in: 3 * Self.chunk, credit: 1)
    #expect(cursor.next()?.lowerBound == 0)
    #expect(cursor.next() == nil)
    #expect(!cursor.isComplete)
    cursor.extend(by: 1)
    #expect(cursor.next()?.lowerBound == Self.chunk)
  }

  @Test(arguments: [(UInt32(0), UInt32(8)), (1, 1), (64, 64)])
  func `Unspecified credit has a default`(asked: UInt32, given: UInt32) {
    #expect(cursor(in: 1, credit: asked).credit == given)
  }

  @Test func `More credit never exceeds the limit`() {
    var cursor = cursor(in: 1, credit: 60)
    cursor.extend(by: WireLimits.credit)
    #expect(cursor.credit == WireLimits.credit)
    cursor.extend(by: 0)
    #expect(cursor.credit == WireLimits.credit)
  }

  @Test func `A download that begins at the end has nothing to read`() {
    var cursor = cursor(in: 5, from: 5)
    #expect(cursor.isComplete)
    #expect(cursor.next() == nil)
  }
}
