@testable import Imaging
import Testing

/// libpng's failures, which leave it by longjmp.
struct PNGWriterTests {
  private let bitmap = Bitmap(
    size: ImageSize(width: 64, height: 64), samples: .grey8, significantBits: 8,
    bytes: (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })

  @Test(arguments: [0, 8, 20, 40, 100, 200])
  func `A file beyond its limit fails with libpng's reason`(limit: Int) throws {
    let writer = try PNGWriter(maximumByteCount: limit)
    let error = #expect(throws: ImagingError.self) {
      try writer.start(bitmap)
      return try writer.finish(bitmap)
    }
    #expect(error?.code == .codecFailed)
    #expect(error?.message == "libpng says: the file is larger than its limit")
  }

  @Test func `A header that libpng refuses fails with its reason`() throws {
    let empty = Bitmap(
      size: ImageSize(width: 0, height: 0), samples: .rgb16, significantBits: 16, bytes: [])
    let writer = try PNGWriter(maximumByteCount: 100_000)
    let error = #expect(throws: ImagingError.self) { try writer.start(empty) }
    #expect(error?.message == "libpng says: Invalid IHDR data")
  }
}
