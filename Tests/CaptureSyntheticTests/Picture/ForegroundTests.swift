import Imaging
import OperatingSystem
import Testing

@testable import CaptureSynthetic

struct ForegroundTests {
  private static let size = ImageSize(width: 640, height: 360)

  private func paint(
    frame: UInt64,
    nanoseconds: Int64 = 0,
    caption: Bool = false,
    zoom: Double = 1
  ) throws -> Canvas {
    var settings = PictureSettings()
    settings.zoom = zoom
    var canvas = try Canvas(Self.size, .grey)
    canvas.paint { raster, memory in
      let strip = FrameStrip(
        number: frame,
        timestamp: MonotonicTime(nanoseconds: nanoseconds)
      )
      Foreground(raster: raster, showsCaption: caption).paint(strip, settings, into: &memory)
    }
    return canvas
  }

  @Test(arguments: [UInt64(0), 1, 59, 119, 120, 1_000_000_007])
  func `The marker's place depends on the frame's number`(frame: UInt64) throws {
    let canvas = try paint(frame: frame)
    let left = Int(Marker.left(in: frame) * 640)
    let row = canvas.bytes[(210 * 640)..<(211 * 640)]
    let lit = row.indices.filter { row[$0] == 255 }.map { $0 - row.startIndex }
    let first = try #require(lit.first)
    let last = try #require(lit.last)
    #expect(abs(first - left) <= 2 && abs(last - left - 39) <= 2)
    #expect(row[row.startIndex + (first + last) / 2] == 0, "the core is black")
  }

  @Test func `The marker steps to the right in every frame of its period and starts over`() {
    let positions = (0..<Marker.period).map(Marker.left(in:))
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
    #expect(Marker.left(in: Marker.period) == positions[0])
  }

  @Test func `The marker grows with the zoom`() throws {
    let (plain, zoomed) = (try paint(frame: 60), try paint(frame: 60, zoom: 2))
    func lit(_ canvas: Canvas) -> Int {
      canvas.bytes.prefix(640 * 340).filter { $0 == 255 }.count
    }
    #expect((3.8...4.2).contains(Double(lit(zoomed)) / Double(lit(plain))))
  }

  @Test func `The caption shows the frame's number and time in digits`() throws {
    let canvas = try paint(frame: 907, nanoseconds: 65_432_100_000, caption: true)
    // One dot has 2×2 pixels and a glyph 6×8 dots. Lines have 12 places and are right-aligned.
    #expect(canvas.text(line: 0) == "         907")
    #expect(canvas.text(line: 1) == "      65.432")
  }

  @Test
  func `Times below a second have leading zeros, and long numbers lose their first digits`()
    throws
  {
    let canvas = try paint(
      frame: 1_234_567_890_123_456,
      nanoseconds: 7_000_000,
      caption: true
    )
    #expect(canvas.text(line: 0) == "567890123456")
    #expect(canvas.text(line: 1) == "       0.007")
  }

  @Test func `Without a caption the corner is left alone`() throws {
    #expect(try paint(frame: 1).bytes.prefix(640 * 30).allSatisfy { $0 == 7 })
  }
}

extension Canvas {
  /// Reads a line of the caption by comparing its dots with the font.
  fileprivate func text(line: Int) -> String {
    let glyphs =
      "0123456789.".unicodeScalars.map { (String($0), DotFont.glyph($0)) }
    return (0..<12).map { place in
      let dots = (0..<7).map { y in
        (0..<5).reduce(UInt8(0)) { row, x in
          let pixel = (line * 8 + 1 + y) * 2 * layout.bytesPerLine + (place * 6 + 1 + x) * 2
          return row << 1 | (bytes[pixel] == 255 ? 1 : 0)
        }
      }
      return glyphs.first { glyph in glyph.1.indices.allSatisfy { glyph.1[$0] == dots[$0] } }?.0
        ?? (dots.allSatisfy { $0 == 0 } ? " " : "?")
    }.joined()
  }
}
