import Imaging
import Testing

@testable import CaptureSynthetic

struct BlockRasterTests {
  private static let red = RGB(red: 191, green: 0, blue: 0)

  /// A picture of one block, with bytes from the kernel's documentation of the formats.
  @Test(
    arguments: [
      (PixelFormat.grey, [57, 57, 57, 57]),
      (.yuyv, [65, 100, 65, 212, 65, 100, 65, 212]),
      (.uyvy, [100, 65, 212, 65, 100, 65, 212, 65]),
      (.nv12, [65, 65, 65, 65, 100, 212]),
      (.yu12, [65, 65, 65, 65, 100, 212]),
      (.rgb24, [191, 0, 0, 191, 0, 0, 191, 0, 0, 191, 0, 0]),
      (.bgr24, [0, 0, 191, 0, 0, 191, 0, 0, 191, 0, 0, 191]),
      // A sensor counts light: 52 % is red of 191 (IEC 61966-2-1).
      (.bayerRGGB8, [133, 0, 0, 0]),
      (.bayerRGGB10, [21, 2, 0, 0, 0, 0, 0, 0]),
      (.bayerRGGB12, [85, 8, 0, 0, 0, 0, 0, 0]),
      (.bayerRGGB12P, [133, 0, 5, 0, 0, 0]),
      (.bayerRGGB16, [95, 133, 0, 0, 0, 0, 0, 0]),
      (.y10, [228, 0, 228, 0, 228, 0, 228, 0]),
      (.y12, [147, 3, 147, 3, 147, 3, 147, 3]),
      (.y16, [57, 57, 57, 57, 57, 57, 57, 57]),
      (.rgb565, [0, 184, 0, 184, 0, 184, 0, 184]),
      (.z16, [147, 3, 147, 3, 147, 3, 147, 3]),
    ] as [(PixelFormat, [UInt8])]
  )
  func `A block of red has the bytes that the format defines`(
    format: PixelFormat,
    bytes: [UInt8]
  ) throws {
    var canvas = try Canvas(ImageSize(width: 2, height: 2), format)
    canvas.paint { raster, memory in
      raster.fill(BlockRect(columns: 0..<1, rows: 0..<1), with: Self.red, in: &memory)
    }
    #expect(canvas.bytes == bytes)
  }

  @Test(arguments: rawFormats)
  func `A filled rectangle equals one painted block by block`(format: PixelFormat) throws {
    let size = ImageSize(width: 24, height: 16)
    var filled = try Canvas(size, format)
    filled.paint { raster, memory in
      raster.fill(BlockRect(columns: 3..<10, rows: 2..<7), with: Self.red, in: &memory)
    }
    var stepped = try Canvas(size, format)
    stepped.paint { raster, memory in
      for row in 2..<7 {
        for column in 3..<10 {
          let block = BlockRect(columns: column..<(column + 1), rows: row..<(row + 1))
          raster.fill(block, with: Self.red, in: &memory)
        }
      }
    }
    #expect(filled.bytes == stepped.bytes)
    #expect(filled.bytes.count == filled.layout.byteCount)
    let untouched = filled.bytes.filter { $0 == 7 }.count
    #expect(untouched * 96 == filled.bytes.count * (96 - 35))
  }

  @Test func `Areas outside the picture are ignored`() throws {
    var canvas = try Canvas(ImageSize(width: 4, height: 4), .grey)
    canvas.paint { raster, memory in
      raster.fill(BlockRect(columns: -5..<1, rows: 1..<9), with: .white, in: &memory)
      raster.fill(BlockRect(columns: 7..<9, rows: 0..<2), with: .white, in: &memory)
    }
    let (off, on): (UInt8, UInt8) = (7, 255)
    #expect(
      canvas.bytes == [off, off, off, off, off, off, off, off, on, on, off, off, on, on, off, off]
    )
  }

  @Test(arguments: rawFormats)
  func `A repeated row equals one that is painted again`(format: PixelFormat) throws {
    let colors = TestPattern.barColors
    let size = ImageSize(width: 16, height: 4)
    var painted = try Canvas(size, format)
    painted.paint { raster, memory in
      raster.paintRow(0, colors, in: &memory)
      raster.paintRow(1, colors, in: &memory)
    }
    var repeated = try Canvas(size, format)
    repeated.paint { raster, memory in
      raster.paintRow(0, colors, in: &memory)
      raster.repeatRow(0, in: &memory)
    }
    #expect(painted.bytes == repeated.bytes)
  }
}
