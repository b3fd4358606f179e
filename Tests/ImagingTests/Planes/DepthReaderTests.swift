import Foundation
import TestSupport
import Testing

@testable import Imaging

struct DepthReaderTests {
  private let encoder: JPEGEncoder

  init() throws {
    encoder = try JPEGEncoder()
  }

  /// A picture of one distance.
  private func plain(_ distance: Int, _ size: ImageSize) throws -> ([UInt8], ImageLayout) {
    let layout = try ImageLayout(size: size, pixelFormat: .z16)
    let pixel = [UInt8(distance & 255), UInt8(distance >> 8)]
    return ((0..<size.width * size.height).flatMap { _ in pixel }, layout)
  }

  /// The colour of a hue in degrees, as the colour wheel is drawn.
  private func color(hue: Double) -> Color {
    let rising = (hue < 120 ? hue : hue - 120) / 60
    let (up, down) = (255 * min(rising, 1), 255 * min(2 - rising, 1))
    return hue < 120
      ? Color(red: down, green: up, blue: 0) : Color(red: 0, green: down, blue: up)
  }

  @Test(arguments: [250, 300, 500, 707, 1000, 1414, 2000, 2828, 4000, 5657, 8000])
  func `Each doubling of the distance is 48 degrees of hue`(distance: Int) throws {
    let (bytes, layout) = try plain(distance, ImageSize(width: 32, height: 16))
    let hue = 48 * log2(Double(distance) / 250)
    let picture = try Picture(encoder.encode(bytes, layout))
    #expect(picture.color(9, 9).distance(to: color(hue: hue)) <= 6, "\(hue)")
  }

  @Test(arguments: [
    (0, Color(red: 0, green: 0, blue: 0)), (1, Color(red: 255, green: 0, blue: 0)),
    (249, Color(red: 255, green: 0, blue: 0)), (8001, Color(red: 0, green: 0, blue: 255)),
    (65_535, Color(red: 0, green: 0, blue: 255)),
  ])
  func `The unknown is black, and the ends of the range go on`(distance: Int, color: Color) throws {
    let (bytes, layout) = try plain(distance, ImageSize(width: 32, height: 16))
    let picture = try Picture(encoder.encode(bytes, layout))
    #expect(picture.color(9, 9).distance(to: color) <= 4)
  }

  @Test(arguments: Orientation.allCases, [1.0, 2])
  func `Two distances beside each other do not mix where the picture is smaller`(
    orientation: Orientation, zoom: Double
  ) throws {
    // Columns of 0.25 m and 8 m in turn, of which a mean would be black or purple.
    let size = ImageSize(width: 64, height: 32)
    let layout = try ImageLayout(size: size, pixelFormat: .z16, bytesPerLine: 130)
    var bytes = [UInt8](repeating: 0xaa, count: layout.byteCount)
    for y in 0..<32 {
      for x in 0..<64 {
        let distance = x / 16 % 2 == 0 ? 250 : 8000
        bytes[130 * y + 2 * x] = UInt8(distance & 255)
        bytes[130 * y + 2 * x + 1] = UInt8(distance >> 8)
      }
    }
    let target = ImageSize(width: 32, height: 16)
    let reader = try PictureReader()
    let planes = try unsafe reader.planar(
      bytes.span.bytes, layout: layout, scaledTo: target, turned: orientation, zoom: Zoom(zoom))
    #expect(planes.size == orientation.turned(target))
    // The lumas of red and of blue.
    #expect(Set(planes.bytes[0..<32 * 16]) == [76, 29])
  }

  @Test func `Cells of a grid are brighter where it is nearer, and black where nothing is known`()
    throws
  {
    let size = ImageSize(width: 64, height: 48)
    let cells = try [0, 9000, 4000, 2000, 1000, 500, 250].map { distance in
      let (bytes, layout) = try plain(distance, size)
      let grid = try unsafe LumaGridReader().grid(bytes.span.bytes, layout: layout)
      #expect(Set(grid.cells).count == 1)
      return Int(grid.cells[0])
    }
    #expect(cells == [0, 1, 52, 103, 153, 204, 255])
  }
}
