import Imaging
import OperatingSystem

/// Paints the frame's number and time as two lines of digits in the upper left corner.
struct Caption {
  private static let places = 12
  /// The distance between glyphs and between lines, in dots.
  private static let advance = (x: DotFont.width + 1, y: DotFont.height + 1)

  private let raster: BlockRaster
  /// The side of a dot of the font in blocks.
  private var dot: Int { max(1, raster.columns / 320) }

  init(raster: BlockRaster) {
    self.raster = raster
  }

  /// Paints the number, and below it the time in seconds with three decimals.
  func paint(number: UInt64, time: MonotonicTime, into memory: inout MutableRawSpan) {
    fill(
      x: 0,
      y: 0,
      width: Self.places * Self.advance.x + 1,
      height: 2 * Self.advance.y + 1,
      RGB(grey: 16),
      &memory
    )
    let milliseconds = UInt64(max(time.nanoseconds, 0)) / 1_000_000
    paint(number, decimals: 0, line: 0, into: &memory)
    paint(milliseconds, decimals: 3, line: 1, into: &memory)
  }

  /// Paints a decimal number, aligned right. Digits that do not fit are cut off on the left.
  private func paint(_ number: UInt64, decimals: Int, line: Int, into memory: inout MutableRawSpan)
  {
    var rest = number
    var written = 0
    var place = Self.places
    while place > 0, rest > 0 || written <= decimals {
      if decimals > 0, written == decimals {
        place -= 1
        paint(DotFont.glyph("."), place: place, line: line, into: &memory)
      }
      place -= 1
      paint(digit(rest % 10), place: place, line: line, into: &memory)
      rest /= 10
      written += 1
    }
  }

  private func paint(
    _ glyph: DotFont.Glyph,
    place: Int,
    line: Int,
    into memory: inout MutableRawSpan
  ) {
    for y in 0..<DotFont.height {
      for x in 0..<DotFont.width where glyph[y] >> UInt8(DotFont.width - 1 - x) & 1 == 1 {
        fill(
          x: place * Self.advance.x + 1 + x,
          y: line * Self.advance.y + 1 + y,
          width: 1,
          height: 1,
          .white,
          &memory
        )
      }
    }
  }

  private func digit(_ value: UInt64) -> DotFont.Glyph {
    DotFont.glyph(Unicode.Scalar(UInt8(ascii: "0") + UInt8(value)))
  }

  /// Fills a rectangle measured in dots.
  private func fill(
    x: Int,
    y: Int,
    width: Int,
    height: Int,
    _ color: RGB,
    _ memory: inout MutableRawSpan
  ) {
    let rect = BlockRect(
      columns: (x * dot)..<((x + width) * dot),
      rows: (y * dot)..<((y + height) * dot)
    )
    raster.fill(rect, with: color, in: &memory)
  }
}
