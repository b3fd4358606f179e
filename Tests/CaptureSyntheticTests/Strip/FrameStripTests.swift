import Imaging
import OperatingSystem
import Testing

@testable import CaptureSynthetic

struct FrameStripTests {
  static let sizes = [
    ImageSize(width: 160, height: 120), ImageSize(width: 320, height: 240),
    ImageSize(width: 640, height: 360), ImageSize(width: 1366, height: 768),
    ImageSize(width: 1920, height: 1080),
  ]
  static let strips = [
    FrameStrip(number: 0, timestamp: MonotonicTime(nanoseconds: 0)),
    FrameStrip(number: 1, timestamp: MonotonicTime(nanoseconds: -1)),
    FrameStrip(number: .max, timestamp: MonotonicTime(nanoseconds: .max)),
    FrameStrip(
      number: 0x0123_4567_89AB_CDEF,
      timestamp: MonotonicTime(nanoseconds: 1_234_567_890)
    ),
  ]

  @Test(arguments: rawFormats, sizes)
  func `A strip can be read in every raw format at every size`(
    format: PixelFormat,
    size: ImageSize
  ) throws {
    for strip in Self.strips {
      var canvas = try Canvas(size, format)
      canvas.paint { raster, memory in strip.paint(with: raster, into: &memory) }
      #expect(canvas.strip == strip)
    }
  }

  @Test(arguments: sizes)
  func `A strip survives scaling to one half`(size: ImageSize) throws {
    for strip in Self.strips {
      var canvas = try Canvas(size, .grey)
      canvas.paint { raster, memory in strip.paint(with: raster, into: &memory) }
      let (half, halfSize) = canvas.halved()
      let read = unsafe FrameStrip.read(
        luma: half.span.bytes,
        size: halfSize,
        bytesPerLine: halfSize.width
      )
      #expect(read == strip)
    }
  }

  @Test func `A strip with one wrong cell is rejected`() throws {
    let strip = Self.strips[3]
    let geometry = StripGeometry(width: 640)
    for cell in 0..<160 {
      var canvas = try Canvas(ImageSize(width: 640, height: 360), .grey)
      canvas.paint { raster, memory in
        strip.paint(with: raster, into: &memory)
        let isWhite = strip.bytes[cell / 8] >> UInt8(7 - cell % 8) & 1 == 1
        let rect = geometry.rect(of: cell, columns: raster.columns, rows: raster.rows)
        raster.fill(rect, with: isWhite ? .black : .white, in: &memory)
      }
      #expect(canvas.strip == nil)
    }
  }

  @Test(arguments: [RGB.black, .white])
  func `Nothing is read from a picture without a strip`(color: RGB) throws {
    var canvas = try Canvas(ImageSize(width: 640, height: 360), .yuyv)
    canvas.paint { raster, memory in
      let all = BlockRect(columns: 0..<raster.columns, rows: 0..<raster.rows)
      raster.fill(all, with: color, in: &memory)
    }
    #expect(canvas.strip == nil)
  }

  @Test func `Incomplete and compressed pictures are not read`() throws {
    let bytes = [UInt8](repeating: 0, count: 640 * 360)
    let size = ImageSize(width: 640, height: 360)
    let short = try ImageLayout(size: size, pixelFormat: .yuyv)
    let compressed = ImageLayout.compressed(.mjpeg, size: size)
    #expect(unsafe FrameStrip.read(bytes.span.bytes, layout: short) == nil)
    #expect(unsafe FrameStrip.read(bytes.span.bytes, layout: compressed) == nil)
  }

  @Test func `The checksum is CRC-16/CCITT-FALSE`() throws {
    // Computed independently by Python's binascii.crc_hqx(bytes, 0xFFFF).
    let bytes = FrameStrip(number: 1, timestamp: MonotonicTime(nanoseconds: 2)).bytes
    #expect(bytes[0] == 0xCB && bytes[1] == 0x4D && bytes[9] == 1 && bytes[17] == 2)
    #expect(UInt16(bytes[18]) << 8 | UInt16(bytes[19]) == 0xcf29)
  }
}
