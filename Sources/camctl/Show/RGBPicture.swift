import Imaging

/// A picture as red, green and blue, three bytes a pixel and rows without padding.
struct RGBPicture: Sendable {
  private(set) var size: ImageSize
  private(set) var pixels: [UInt8]

  init(size: ImageSize, pixels: [UInt8]) {
    precondition(pixels.count == 3 * size.width * size.height, "a picture has all its pixels")
    self.size = size
    self.pixels = pixels
  }

  /// The picture in another size. Each new pixel is the mean of the area that it covers, so that
  /// fine detail does not flicker.
  func scaled(to target: ImageSize) -> RGBPicture {
    guard target != size else { return self }
    let columns = Self.ranges(target.width, of: size.width)
    let rows = Self.ranges(target.height, of: size.height)
    let scaled = [UInt8](capacity: 3 * target.width * target.height) { output in
      for rows in rows {
        for columns in columns {
          var (red, green, blue) = (0, 0, 0)
          for y in rows {
            var index = 3 * (y * size.width + columns.lowerBound)
            for _ in columns {
              red += Int(pixels[index])
              green += Int(pixels[index + 1])
              blue += Int(pixels[index + 2])
              index += 3
            }
          }
          let count = rows.count * columns.count
          for sum in [red, green, blue] { output.append(UInt8((sum + count / 2) / count)) }
        }
      }
    }
    return RGBPicture(size: target, pixels: scaled)
  }

  /// The picture, turned clockwise and then mirrored.
  func turned(_ orientation: Orientation) -> RGBPicture {
    guard orientation != .upright else { return self }
    let target = orientation.turned(size)
    let turned = [UInt8](capacity: pixels.count) { output in
      for y in 0..<target.height {
        for x in 0..<target.width {
          let (column, row) = source(
            x: orientation.isMirrored ? target.width - 1 - x : x, y: y, orientation.rotation)
          let index = 3 * (row * size.width + column)
          for channel in 0..<3 { output.append(pixels[index + channel]) }
        }
      }
    }
    return RGBPicture(size: target, pixels: turned)
  }

  /// The pixel that a rotation brings to this place.
  private func source(x: Int, y: Int, _ rotation: Orientation.Rotation) -> (column: Int, row: Int) {
    switch rotation {
    case .none: (x, y)
    case .quarter: (y, size.height - 1 - x)
    case .half: (size.width - 1 - x, size.height - 1 - y)
    case .threeQuarters: (size.width - 1 - y, x)
    }
  }

  /// For each of `count` pixels those of `length` pixels that it covers: at least one.
  private static func ranges(_ count: Int, of length: Int) -> [Range<Int>] {
    (0..<count).map { index in
      let start = index * length / count
      return start..<max(start + 1, (index + 1) * length / count)
    }
  }
}
