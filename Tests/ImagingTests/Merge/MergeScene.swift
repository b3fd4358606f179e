import Imaging
import TestSupport

/// A scene with smooth areas, texture and edges, as frames of a raw format with and without noise.
struct MergeScene {
  /// A square that moves from frame to frame.
  struct Marker {
    var x: Int
    var y: Int
    var side = 24
    var color = Color(red: 225, green: 205, blue: 60)

    func covers(_ x: Int, _ y: Int) -> Bool {
      (self.x..<self.x + side).contains(x) && (self.y..<self.y + side).contains(y)
    }
  }

  let layout: ImageLayout
  /// Of a sample, for formats whose samples have two bytes.
  var bits = 8

  init(_ format: PixelFormat, _ size: ImageSize, bytesPerLine: Int? = nil) throws {
    layout = try ImageLayout(
      size: size, pixelFormat: format, bytesPerLine: bytesPerLine, range: .full)
    bits = format.sampleBits ?? 8
  }

  var isDeep: Bool { bits > 8 }
  /// How many codes of a sample stand for one of 8 bits. Of RGB565 those of green.
  var scale: Double { isRGB565 ? 0.25 : Double(1 << (bits - 8)) }
  private var isRGB565: Bool { layout.pixelFormat == .rgb565 }

  /// A frame without noise.
  /// - Parameter shift: By how much it shows the scene further to the right and further down.
  func clean(
    shift: FrameShift = .none, marker: Marker? = nil, brightness: Double = 0, seed: Int = 0
  ) -> [UInt8] {
    func color(_ x: Int, _ y: Int) -> Color {
      if let marker, marker.covers(x, y) { return marker.color }
      let color = Self.color(x - shift.x + 5000 * seed, y - shift.y)
      return Color(
        red: color.red + brightness, green: color.green + brightness, blue: color.blue + brightness)
    }
    if let mosaic { return paint { mosaic[$1 % 2][$0 % 2](color($0, $1)) } }
    if isGrey { return paint { color($0, $1).green } }
    switch layout.pixelFormat {
    case .rgb32, .xrgb32, .bgr32, .xbgr32:
      return packed(4) { x, y in
        let color = color(x, y)
        return [color.blue, color.green, color.red, 7]
      }
    case .rgb565:
      return packed(2) { x, y in
        let color = color(x, y)
        let pixel =
          (Int(color.red) >> 3) << 11 | (Int(color.green) >> 2) << 5 | Int(color.blue) >> 3
        return [Double(pixel & 255), Double(pixel >> 8)]
      }
    default: return TestPicture.paint(layout, color)
    }
  }

  private static func color(_ x: Int, _ y: Int) -> Color {
    let (u, v) = (Double(x), Double(y))
    // About as bright on average as what a camera exposes for.
    var base = 115 + 35 * sine(u * 0.031 + v * 0.017) + 8 * sine(u * 0.41) * sine(v * 0.37)
    if (x / 37 + y / 29) % 3 == 0 { base += 28 }
    if x % 61 < 2 { base -= 25 }
    return Color(
      red: base + 20 * sine(v * 0.023), green: base, blue: base - 20 * sine(u * 0.019 - v * 0.011))
  }

  private static let sines: [Double] = (0..<4096).map { index in
    // A parabola is as good as a sine here, and needs no other module.
    let place = Double(index) / 2048
    let part = place < 1 ? place : place - 1
    return (place < 1 ? 4 : -4) * part * (1 - part)
  }

  private static func sine(_ angle: Double) -> Double {
    let turns = angle / 6.283185307
    return sines[Int((turns - turns.rounded(.down)) * 4096) & 4095]
  }

  /// Values with a mean of 0 and a standard deviation of 1, nearly normally distributed.
  static let normals: [Double] = {
    var random = SeededGenerator(seed: 1)
    return (0...0xffff).map { _ in
      let sum = (0..<4).reduce(0.0) { sum, _ in sum + .random(in: -0.5...0.5, using: &random) }
      return sum * 3.0.squareRoot()
    }
  }()

  private var isGrey: Bool {
    [.grey, .y10, .y12, .y16].contains(layout.pixelFormat)
  }

  /// The colours of two by two pixels.
  private var mosaic: [[(Color) -> Double]]? {
    let (red, green, blue) = (
      { (color: Color) in 0.6 * color.red }, { (color: Color) in color.green },
      { (color: Color) in 0.8 * color.blue }
    )
    return switch layout.pixelFormat {
    case .bayerRGGB8, .bayerRGGB10: [[red, green], [green, blue]]
    case .bayerBGGR8, .bayerBGGR10: [[blue, green], [green, red]]
    case .bayerGRBG8, .bayerGRBG10: [[green, red], [blue, green]]
    case .bayerGBRG8, .bayerGBRG10: [[green, blue], [red, green]]
    default: nil
    }
  }

  private func paint(_ value: (_ x: Int, _ y: Int) -> Double) -> [UInt8] {
    packed(isDeep ? 2 : 1) { x, y in
      let sample = Int((value(x, y) * scale).rounded())
      return isDeep ? [Double(sample & 255), Double(sample >> 8)] : [Double(sample)]
    }
  }

  private func packed(
    _ bytesPerPixel: Int, _ pixel: (_ x: Int, _ y: Int) -> [Double]
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: layout.byteCount)
    for y in 0..<layout.size.height {
      for x in 0..<layout.size.width {
        for (index, value) in pixel(x, y).enumerated() {
          bytes[y * layout.bytesPerLine + x * bytesPerPixel + index] = UInt8(value)
        }
      }
    }
    return bytes
  }

  /// A frame with noise of this standard deviation, in codes of 8 bits, in every sample.
  /// - Parameter growth: By which factor more noise the brightest sample has.
  func noisy(
    _ clean: [UInt8], _ deviation: Double, _ random: inout SeededGenerator, growth: Double = 0
  ) -> [UInt8] {
    var noisy = samples(clean)
    var bits: UInt64 = 0
    for index in noisy.indices {
      bits = index.isMultiple(of: 4) ? random.next() : bits >> 16
      let most = isRGB565 && index % 3 != 1 ? 31 : 255 * scale
      let sample = Double(noisy[index])
      let noise =
        deviation * scale * (1 + growth * sample / most) * Self.normals[Int(bits & 0xffff)]
      noisy[index] = UInt16(max(0, min(most, (sample + noise).rounded())))
    }
    return bytes(noisy)
  }

  /// The samples of a frame, in the order of its bytes.
  func samples(_ bytes: [UInt8]) -> [UInt16] {
    guard isDeep || isRGB565 else { return bytes.map { UInt16($0) } }
    let words = (0..<bytes.count / 2).map { UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8 }
    return isRGB565 ? words.flatMap { [$0 >> 11, $0 >> 5 & 63, $0 & 31] } : words
  }

  private func bytes(_ samples: [UInt16]) -> [UInt8] {
    guard isDeep || isRGB565 else { return samples.map { UInt8($0) } }
    let words =
      isRGB565
      ? (0..<samples.count / 3).map {
        samples[3 * $0] << 11 | samples[3 * $0 + 1] << 5 | samples[3 * $0 + 2]
      } : samples
    return words.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
  }

  /// A frame of 8-bit grey that the camera smeared while it moved across.
  func blurred(_ bytes: [UInt8], across length: Int) -> [UInt8] {
    let width = layout.size.width
    return bytes.indices.map { index in
      let (y, x) = index.quotientAndRemainder(dividingBy: width)
      let sum = (0..<length).reduce(0) { sum, offset in
        sum + Int(bytes[y * width + min(max(0, x + offset - length / 2), width - 1)])
      }
      return UInt8((sum + length / 2) / length)
    }
  }

  /// The bytes of a frame without padding in this layout's longer rows.
  func spread(_ bytes: [UInt8], of scene: MergeScene, padding: UInt8) -> [UInt8] {
    var spread = [UInt8](repeating: padding, count: layout.byteCount)
    var (from, to) = (0, 0)
    // Rows of chroma planes are half as long.
    let isPlanar = layout.pixelFormat == .yu12
    while from < bytes.count {
      let isChroma = isPlanar && from >= scene.layout.bytesPerLine * layout.size.height
      let length = isChroma ? scene.layout.bytesPerLine / 2 : scene.layout.bytesPerLine
      spread.replaceSubrange(to..<to + length, with: bytes[from..<from + length])
      from += length
      to += isChroma ? layout.bytesPerLine / 2 : layout.bytesPerLine
    }
    return spread
  }

  /// The root of the mean square of the differences to the truth, in codes of 8 bits.
  func error(_ bytes: [UInt8], _ truth: [UInt8], where counts: ((Int) -> Bool)? = nil) -> Double {
    let (found, expected) = (samples(bytes), samples(truth))
    var (sum, count) = (0.0, 0.0)
    for index in found.indices where counts?(index) ?? true {
      let difference = (Double(found[index]) - Double(expected[index])) / scale
      sum += difference * difference
      count += 1
    }
    return (sum / max(1, count)).squareRoot()
  }
}

extension FrameMerger {
  /// Merges frames into a new picture.
  func merge(
    _ reference: [UInt8], _ others: [[UInt8]], _ layout: ImageLayout, capacity: Int? = nil
  ) throws -> (bytes: [UInt8], report: MergeReport) {
    try unsafe begin(reference.span.bytes, layout: layout)
    for other in others { try unsafe add(other.span.bytes) }
    var output = [UInt8](repeating: 77, count: capacity ?? layout.byteCount)
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    let report = try finish(into: &bytes)
    return (output, report)
  }
}

extension PixelFormat {
  /// Packed samples must be unpacked first, and distances have no mean.
  var isMergeable: Bool {
    !isDepth && ![.y10P, .y16BigEndian].contains(self) && !name.hasPrefix("p")
  }
}
