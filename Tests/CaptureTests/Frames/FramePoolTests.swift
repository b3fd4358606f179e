import Imaging
import Testing

@testable import Capture

struct FramePoolTests {
  private static let layout = ImageLayout.compressed(
    .mjpeg,
    size: ImageSize(width: 4, height: 2)
  )

  private func pool(limit: Int) -> FramePool {
    FramePool(limit: limit, byteCount: 8, layout: Self.layout)
  }

  /// A sealed frame of the pool; nil when there is none.
  private func take(_ pool: FramePool, sequence: UInt64 = 1) -> Frame? {
    guard let draft = pool.take() else { return nil }
    return draft.seal(layout: Self.layout, metadata: .test(sequence), byteCount: 8)
  }

  private func address(_ frame: Frame) -> UInt {
    frame.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    }
  }

  @Test func `A pool gives as many frames as its limit, and then none`() throws {
    let pool = pool(limit: 3)
    let held = try (0..<3).map { _ in try #require(take(pool)) }
    #expect(Set(held.map(ObjectIdentifier.init)).count == 3)
    #expect(take(pool) == nil)
    withExtendedLifetime(held) {}
  }

  @Test func `A frame that all holders have released is used again, with the same memory`() throws {
    let pool = pool(limit: 2)
    let kept = try #require(take(pool, sequence: 1))
    var gone = take(pool, sequence: 2)
    let memory = try #require(gone.map(address))
    #expect(take(pool) == nil)
    gone = nil
    let again = try #require(take(pool, sequence: 3))
    #expect(address(again) == memory)
    #expect(kept.metadata.sequence == 1, "a frame in use is not written")
  }

  @Test func `A frame stays in use until its last holder releases it`() throws {
    let pool = pool(limit: 1)
    let frame = try #require(take(pool))
    var holders = [frame, frame, frame]
    _ = consume frame
    holders.removeLast(2)
    #expect(take(pool) == nil)
    holders.removeAll()
    #expect(take(pool) != nil)
  }

  @Test func `A dropped draft frees its memory`() throws {
    let pool = pool(limit: 1)
    let draft = pool.take()
    #expect(take(pool) == nil)
    _ = consume draft
    #expect(take(pool) != nil)
  }

  @Test func `Memory is allocated when it is first needed, and then kept`() throws {
    let pool = pool(limit: 100)
    var addresses: Set<UInt> = []
    for _ in 0..<50 { addresses.insert(address(try #require(take(pool)))) }
    #expect(addresses.count == 1)
  }
}
