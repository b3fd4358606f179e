import Imaging
import OperatingSystem

/// A picture that is painted: plain areas, other pictures, and texts.
struct SheetPainting {
  /// Red, green and blue.
  typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

  private let size: ImageSize
  private var pixels: [UInt8]

  init(_ size: ImageSize, _ color: Color) {
    self.size = size
    pixels = []
    pixels.reserveCapacity(3 * size.width * size.height)
    for _ in 0..<size.width * size.height {
      for channel in [color.red, color.green, color.blue] { pixels.append(channel) }
    }
  }

  mutating func fill(_ area: SheetArea, _ color: Color) {
    for y in max(0, area.y)..<max(0, min(size.height, area.y + area.height)) {
      for x in max(0, area.x)..<max(0, min(size.width, area.x + area.width)) {
        let index = 3 * (y * size.width + x)
        (pixels[index], pixels[index + 1], pixels[index + 2]) = color
      }
    }
  }

  /// Puts a picture into the middle of an area that has room for it.
  mutating func put(_ picture: RGBPicture, into area: SheetArea) {
    let left = area.x + (area.width - picture.size.width) / 2
    let top = area.y + (area.height - picture.size.height) / 2
    let count = 3 * picture.size.width
    for row in 0..<picture.size.height {
      let (from, to) = (row * count, 3 * ((top + row) * size.width + left))
      pixels.replaceSubrange(to..<to + count, with: picture.pixels[from..<from + count])
    }
  }

  /// Writes a line of text into an area: as large as it fits, with dots of at most `dot` pixels,
  /// and without its middle where it does not fit at all.
  mutating func write(_ text: String, into area: SheetArea, dot largest: Int, _ color: Color) {
    let advance = DotFont.width + 1
    var (scalars, dot) = (Array(text.unicodeScalars), max(1, largest))
    while dot > 1, scalars.count * advance * dot > area.width { dot -= 1 }
    let room = max(1, area.width / (advance * dot))
    if scalars.count > room {
      let kept = max(0, room - 2)
      scalars = scalars.prefix(kept - kept / 2) + [".", "."] + scalars.suffix(kept / 2)
    }
    let top = area.y + (area.height - DotFont.height * dot) / 2
    for (place, scalar) in scalars.enumerated() {
      let glyph = DotFont.glyph(scalar)
      for y in 0..<DotFont.height {
        for x in 0..<DotFont.width where glyph[y] >> UInt8(DotFont.width - 1 - x) & 1 == 1 {
          let left = area.x + (place * advance + x) * dot
          fill(SheetArea(x: left, y: top + y * dot, width: dot, height: dot), color)
        }
      }
    }
  }

  /// The painting as a JPEG.
  /// - Throws: `invalidSize`, `codecFailed`.
  func jpeg(quality: Int) throws(ImagingError) -> [UInt8] {
    let layout = try ImageLayout(size: size, pixelFormat: .rgb24, range: .full)
    var output = [UInt8](repeating: 0, count: JPEGEncoder.maximumByteCount(for: size))
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    let count = try unsafe JPEGEncoder().encode(
      pixels.span.bytes, layout: layout, quality: quality, into: &bytes)
    return Array(output[..<count])
  }
}

/// A part of a sheet, in pixels.
struct SheetArea {
  var x: Int
  var y: Int
  var width: Int
  var height: Int
}

/// Where everything is on a sheet of so many tiles.
struct SheetLayout {
  /// The most tiles of a sheet: those of 24 columns and rows.
  static let tileLimit = 24 * 24
  /// The width of a sheet with many tiles, without the margins, and that of a single tile.
  private static let (whole, widest) = (3840, 640)
  private static let margin = 8

  private let columns: Int
  private let tile: (width: Int, pictureHeight: Int)
  /// The side of a dot of the letters, so that a line of a tile has 26 of them.
  let dot: Int
  private var lineHeight: Int { (DotFont.height + 2) * dot }
  private var tileHeight: Int { tile.pictureHeight + 2 * lineHeight }
  private let titleHeight = 32

  let size: ImageSize

  init(tiles: Int) {
    columns = (1...24).first { $0 * $0 >= tiles } ?? 24
    let width = min(Self.widest, Self.whole / columns)
    tile = (width, width * 3 / 4)
    dot = width / 160
    let rows = (max(1, tiles) + columns - 1) / columns
    let height = tile.pictureHeight + 2 * (DotFont.height + 2) * dot
    size = ImageSize(
      width: columns * (width + Self.margin) + Self.margin,
      height: titleHeight + rows * (height + Self.margin) + Self.margin)
  }

  var title: SheetArea {
    SheetArea(x: Self.margin, y: 0, width: size.width - 2 * Self.margin, height: titleHeight)
  }

  /// The place of a tile's picture.
  func picture(_ index: Int) -> SheetArea {
    SheetArea(
      x: Self.margin + index % columns * (tile.width + Self.margin),
      y: titleHeight + index / columns * (tileHeight + Self.margin), width: tile.width,
      height: tile.pictureHeight)
  }

  /// One of the two lines below the picture.
  func line(_ line: Int, of index: Int) -> SheetArea {
    let picture = picture(index)
    return SheetArea(
      x: picture.x, y: picture.y + picture.height + line * lineHeight, width: picture.width,
      height: lineHeight)
  }
}
