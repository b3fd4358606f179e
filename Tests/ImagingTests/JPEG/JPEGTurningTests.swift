import Imaging
import TestSupport
import Testing

/// Turned pictures. Tests/Python compares them with what other programs make of the same frames.
struct JPEGTurningTests {
  private let (encoder, scaler, turner): (JPEGEncoder, JPEGScaler, JPEGTurner)

  init() throws {
    (encoder, scaler, turner) = (try JPEGEncoder(), try JPEGScaler(), try JPEGTurner())
  }

  /// For each place of the turned picture, row by row, its place in the source, by the words of the
  /// definition: turned clockwise, then mirrored.
  private func sources(_ orientation: Orientation, _ size: ImageSize) -> [(x: Int, y: Int)] {
    let turned = orientation.turned(size)
    var sources = [(x: Int, y: Int)](repeating: (-1, -1), count: size.width * size.height)
    for (sourceX, sourceY) in (0..<size.height).flatMap({ y in (0..<size.width).map { ($0, y) } }) {
      var (x, y, height) = (sourceX, sourceY, size.height)
      var width = size.width
      for _ in 0..<(orientation.rotation.rawValue / 90) {
        (x, y) = (height - 1 - y, x)
        (width, height) = (height, width)
      }
      if orientation.isMirrored { x = width - 1 - x }
      sources[y * turned.width + x] = (sourceX, sourceY)
    }
    return sources
  }

  /// Areas of 16x16 pixels with colours of their own.
  private func color(_ x: Int, _ y: Int) -> Color {
    Color.bars[(x / 16 * 5 + y / 16 * 3) % Color.bars.count]
  }

  private func turn(_ jpeg: [UInt8], _ orientation: Orientation) throws -> [UInt8] {
    let size = try JPEGHeader.read(jpeg).size
    var output = [UInt8](
      repeating: 0, count: JPEGEncoder.maximumByteCount(for: orientation.turned(size)))
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    let byteCount = try unsafe turner.turn(jpeg.span.bytes, orientation, into: &bytes)
    return Array(output[..<byteCount])
  }

  private func rescale(_ jpeg: [UInt8], _ orientation: Orientation) throws -> [UInt8] {
    let size = try JPEGHeader.read(jpeg).size
    var output = [UInt8](
      repeating: 0, count: JPEGEncoder.maximumByteCount(for: orientation.turned(size)))
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    let byteCount = try unsafe scaler.scale(
      jpeg.span.bytes, to: size, turned: orientation, quality: 100, into: &bytes)
    return Array(output[..<byteCount])
  }

  /// Every pixel away from the edges of areas, and the outermost ones.
  private func expect(
    _ jpeg: [UInt8], shows orientation: Orientation, of size: ImageSize, isGrey: Bool,
    margin: Int = 2
  ) throws {
    let picture = try Picture(jpeg)
    #expect(picture.size == orientation.turned(size))
    let sources = sources(orientation, size)
    for y in 0..<picture.size.height {
      for x in 0..<picture.size.width {
        let from = sources[y * picture.size.width + x]
        guard [from.x, from.y].allSatisfy({ (margin..<16 - margin).contains($0 % 16) }) else {
          continue
        }
        let color = color(from.x, from.y)
        let distance = picture.color(x, y).distance(to: isGrey ? color.grey : color)
        #expect(distance <= 4, "\(x), \(y) of \(orientation)")
        guard distance <= 4 else { return }
      }
    }
  }

  @Test(arguments: PixelFormat.varied, Orientation.allCases)
  func `Every pixel comes to its place`(format: PixelFormat, orientation: Orientation) throws {
    for size in ImageSize.each((48, 32), (45, 29)) {
      let layout = try ImageLayout(size: size, pixelFormat: format, bytesPerLine: 256)
      let picture = TestPicture.paint(layout) { color($0, $1) }
      let jpeg = try encoder.encode(picture, layout, turned: orientation, quality: 100)
      // The colours of a mosaic reach a pixel farther.
      try expect(
        jpeg, shows: orientation, of: size, isGrey: format.isGrey,
        margin: format.bayerPattern == nil ? 2 : 4)
    }
  }

  @Test(arguments: [PixelFormat.nv12, .grey], Orientation.allCases)
  func `A turned picture has the bytes of a picture that was painted so`(
    format: PixelFormat, orientation: Orientation
  ) throws {
    let size = ImageSize(width: 46, height: 30)
    func color(_ x: Int, _ y: Int) -> Color {
      Color.bars[(x / 2 * 5 + y / 2 * 3) % Color.bars.count]
    }
    let layout = try ImageLayout(size: size, pixelFormat: format)
    let turned = try ImageLayout(size: orientation.turned(size), pixelFormat: format)
    let sources = sources(orientation, size)
    let expected = TestPicture.paint(turned) { x, y in
      let from = sources[y * turned.size.width + x]
      return color(from.x, from.y)
    }
    let picture = TestPicture.paint(layout) { color($0, $1) }
    #expect(
      try encoder.encode(picture, layout, turned: orientation) == encoder.encode(expected, turned))
  }

  @Test(
    arguments: [PixelFormat.yuyv, .nv12, .rgb24],
    [ImageLayout.Matrix.bt601, .bt709])
  func `Scaling comes before turning`(format: PixelFormat, matrix: ImageLayout.Matrix) throws {
    let (size, target) = (ImageSize(width: 96, height: 64), ImageSize(width: 48, height: 32))
    let layout = try ImageLayout(size: size, pixelFormat: format, matrix: matrix)
    let picture = TestPicture.paint(layout) { color($0 / 2, $1 / 2) }
    for orientation in Orientation.allCases {
      let jpeg = try encoder.encode(
        picture, layout, scaledTo: target, turned: orientation, quality: 100)
      try expect(jpeg, shows: orientation, of: target, isGrey: false)
    }
  }

  @Test(arguments: PixelFormat.varied, Orientation.allCases)
  func `There is room for the smallest pictures too`(
    format: PixelFormat, orientation: Orientation
  ) throws {
    let layout = try ImageLayout(size: ImageSize(width: 40, height: 40), pixelFormat: format)
    let picture = TestPicture.paint(layout) { color($0, $1) }
    for target in ImageSize.each((4, 16), (16, 4), (2, 16), (16, 2), (2, 2), (1, 33), (33, 1)) {
      let jpeg = try encoder.encode(
        picture, layout, scaledTo: target, turned: orientation, quality: 100)
      #expect(try JPEGHeader.read(jpeg).size == orientation.turned(target))
    }
  }

  @Test(arguments: [PixelFormat.yuyv, .nv12, .grey], Orientation.allCases)
  func `A JPEG that is turned there and back is the same to the last bit`(
    format: PixelFormat, orientation: Orientation
  ) throws {
    let size = ImageSize(width: 48, height: 32)
    let layout = try ImageLayout(size: size, pixelFormat: format)
    var random = SeededGenerator(for: "turning JPEGs")
    let noise = (0..<layout.byteCount).map { _ in UInt8.random(in: 16...235, using: &random) }
    let jpeg = try encoder.encode(noise, layout)
    let turned = try turn(jpeg, orientation)
    #expect(try Picture(turned).size == orientation.turned(size))
    #expect(orientation == .upright || turned != jpeg)
    let back = Orientation.allCases.filter { orientation.isUndone(by: $0) }
    #expect(back.count == 1)
    #expect(try Picture(turn(turned, back[0])).pixels == Picture(jpeg).pixels)
  }

  @Test(arguments: [PixelFormat.yuyv, .nv12, .grey], Orientation.allCases)
  func `JPEGs of every size keep their pixels, with and without loss`(
    format: PixelFormat, orientation: Orientation
  ) throws {
    for size in ImageSize.each((48, 32), (45, 32), (48, 29), (45, 29)) {
      let layout = try ImageLayout(size: size, pixelFormat: format)
      let jpeg = try encoder.encode(
        TestPicture.paint(layout) { color($0, $1) }, layout, quality: 100)
      if JPEGTurner.canTurn(try JPEGHeader.read(jpeg), orientation) {
        try expect(
          try turn(jpeg, orientation), shows: orientation, of: size, isGrey: format.isGrey)
      } else {
        #expect(!size.width.isMultiple(of: 16) || !size.height.isMultiple(of: 8))
        #expect(throws: ImagingError.self) { try turn(jpeg, orientation) }
      }
      try expect(
        try rescale(jpeg, orientation), shows: orientation, of: size, isGrey: format.isGrey)
    }
  }

  @Test func `Hostile bytes never end the process`() throws {
    var random = SeededGenerator(for: "hostile JPEGs to turn")
    let small = try TestJPEG.bars(ImageSize(width: 48, height: 32))
    var refused = 0
    for _ in 0..<3000 {
      let bytes = HostileBytes.next(small, &random)
      guard let size = try? JPEGHeader.read(bytes).size, size.width * size.height < 1 << 20 else {
        continue
      }
      let orientation = Orientation.allCases.randomElement(using: &random) ?? .upright
      if (try? turn(bytes, orientation)) == nil { refused += 1 }
      _ = try? rescale(bytes, orientation)
    }
    #expect(refused > 100)
    #expect(try turn(small, Orientation(.half)).count > 100)
  }

  @Test func `Damaged JPEGs are refused, and the next one is turned`() throws {
    let jpeg = try TestJPEG.bars()
    for damaged in [[], [0xff, 0xd8], Array(jpeg[..<(jpeg.count / 2)]), Array("nonsense".utf8)] {
      #expect(throws: ImagingError.self) { try turn(damaged, Orientation(.half)) }
    }
    #expect(try turn(jpeg, Orientation(.half)).count > 100)
  }
}

extension Orientation {
  fileprivate func isUndone(by other: Orientation) -> Bool {
    if isMirrored != other.isMirrored { return false }
    // A mirror image that is turned again turns the other way.
    return isMirrored
      ? other.rotation == rotation
      : (rotation.rawValue + other.rotation.rawValue) % 360 == 0
  }
}
