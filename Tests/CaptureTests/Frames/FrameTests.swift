import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

struct FrameTests {
  private static let layout = ImageLayout.compressed(
    .mjpeg,
    size: ImageSize(width: 4, height: 2)
  )

  private func frame(_ bytes: [UInt8]) throws -> Frame {
    let pool = FramePool(limit: 1, byteCount: 8, layout: Self.layout)
    guard var draft = pool.take() else { throw PoolIsEmpty() }
    draft.withBytes { memory in
      for (index, byte) in bytes.enumerated() {
        memory.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
    }
    return draft.seal(layout: Self.layout, metadata: .test(7), byteCount: bytes.count)
  }

  @Test func `A frame has the bytes that were written before it was sealed, and no others`() throws
  {
    let frame = try frame([1, 2, 3, 4, 5])
    #expect(frame.byteCount == 5 && frame.capacity == 8)
    #expect(frame.metadata == .test(7) && frame.layout == Self.layout)
    let bytes = frame.bytes
    #expect(bytes == [1, 2, 3, 4, 5])
  }

  @Test(arguments: [true, false], [0, 1, 63, 64, 65, 127, 200, 4096 + 17])
  func `A picture is copied completely, and nothing around it is written`(
    isAwaited: Bool, count: Int
  ) {
    let picture = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 + 1) }
    // The target is not aligned to cache lines, and continues after the picture.
    var memory = [UInt8](repeating: 255, count: count + 200)
    for start in [0, 1, 15, 16, 63] {
      for index in memory.indices { memory[index] = 255 }
      var span = memory.mutableSpan
      var bytes = unsafe span.mutableBytes
      var target = bytes._mutatingExtracting(droppingFirst: start)
      unsafe target.copyPicture(picture.span.bytes, isAwaited: isAwaited)
      #expect(Array(memory[start..<start + count]) == picture)
      #expect(memory[..<start].allSatisfy { $0 == 255 })
      #expect(memory[(start + count)...].allSatisfy { $0 == 255 })
    }
  }

  @Test func `A frame outlives its pool`() throws {
    let frame = try frame([9])
    #expect(frame.withBytes { unsafe $0.unsafeLoad(fromByteOffset: 0, as: UInt8.self) } == 9)
  }

  @Test func `Errors pass through withBytes`() throws {
    let frame = try frame([1])
    #expect(throws: PoolIsEmpty.self) { try frame.withBytes { _ in throw PoolIsEmpty() } }
  }

  @Test func `Sealing more bytes than the memory has ends the program`() async {
    await #expect(processExitsWith: .failure) {
      let layout = ImageLayout.compressed(.mjpeg, size: ImageSize(width: 4, height: 2))
      let pool = FramePool(limit: 1, byteCount: 8, layout: layout)
      if let draft = pool.take() {
        _ = draft.seal(layout: layout, metadata: .test(1), byteCount: 9)
      }
    }
  }

  @Test
  func `A frame that is passed through has the time of its copy as the times of its encoding`() {
    let metadata = FrameMetadata.test(3)
    #expect(metadata.encodeStarted == metadata.copied)
    #expect(metadata.encodeFinished == metadata.copied)
  }
}

private struct PoolIsEmpty: Error {}

extension FrameMetadata {
  /// Metadata with made-up moments.
  static func test(_ sequence: UInt64) -> FrameMetadata {
    FrameMetadata(
      sequence: sequence,
      timestamp: MonotonicTime(nanoseconds: 10),
      marks: .exposureStart,
      exposure: ExposureBounds(
        earliestStart: MonotonicTime(nanoseconds: 10), latestEnd: MonotonicTime(nanoseconds: 20)),
      dequeued: MonotonicTime(nanoseconds: 20),
      copied: MonotonicTime(nanoseconds: 30),
      wallClock: WallClockSample(offset: 0, error: 0)
    )
  }
}
