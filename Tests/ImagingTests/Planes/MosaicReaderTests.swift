import TestSupport
import Testing

@testable import Imaging

struct MosaicReaderTests {
  private static let sizes = ImageSize.each((2, 2), (3, 3), (5, 4), (1, 4), (5, 1), (67, 35))

  /// Random samples, and the picture that has them.
  private func noise(
    _ sensor: TestSensor, _ size: ImageSize
  ) throws -> (layout: ImageLayout, samples: [Int], bytes: [UInt8]) {
    let plain = try ImageLayout(size: size, pixelFormat: sensor.format)
    let layout = try ImageLayout(
      size: size, pixelFormat: sensor.format, bytesPerLine: plain.bytesPerLine + 3)
    var random = SeededGenerator(for: "mosaics")
    let samples = (0..<size.width * size.height).map { _ in
      Int.random(in: 0..<(1 << sensor.bits), using: &random)
    }
    var bytes = [UInt8](repeating: 0xaa, count: layout.byteCount)
    for y in 0..<size.height {
      for x in 0..<size.width { sensor.put(samples[y * size.width + x], x, y, layout, &bytes) }
    }
    return (layout, samples, bytes)
  }

  /// The mean of the nearest samples of each colour, where places beyond an edge are those that
  /// mirror them.
  private func expected(
    _ sensor: TestSensor, _ size: ImageSize, _ x: Int, _ y: Int, _ samples: [Int]
  ) -> [Int] {
    func mean(_ places: [(x: Int, y: Int)]) -> Int {
      let sum = places.reduce(0) { sum, place in
        sum
          + samples[
            mirrored(y + place.y, size.height) * size.width + mirrored(x + place.x, size.width)]
      }
      return (sum + places.count / 2) / places.count
    }
    let channel = sensor.channel(x, y)
    return (0...2).map { wanted in
      if channel == wanted { return mean([(0, 0)]) }
      if wanted == 1 { return mean([(-1, 0), (1, 0), (0, -1), (0, 1)]) }
      if channel == 1 {
        // Red and blue are beside green in one direction, and above and below it in the other.
        return sensor.channel(x + 1, y) == wanted
          ? mean([(-1, 0), (1, 0)]) : mean([(0, -1), (0, 1)])
      }
      return mean([(-1, -1), (1, -1), (-1, 1), (1, 1)])
    }
  }

  @Test(arguments: TestSensor.all.filter { $0.pattern != nil }, sizes)
  func `Missing colours are the means of their neighbours`(
    sensor: TestSensor, size: ImageSize
  ) throws {
    let (layout, samples, bytes) = try noise(sensor, size)
    let mosaic = try #require(Mosaic(sensor.format))
    let high = samples.map { sensor.shown($0, most: 255) }
    let full = samples.map { sensor.shown($0, most: 65_535) }
    var (pixels8, pixels16) = (
      [UInt8](repeating: 0, count: 3 * samples.count),
      [UInt16](repeating: 0, count: 3 * samples.count)
    )
    unsafe MosaicReader().read(bytes, layout, mosaic, rows: 0..<size.height, into: &pixels8)
    unsafe MosaicReader().read(bytes, layout, mosaic, rows: 0..<size.height, into: &pixels16)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let pixel = 3 * (y * size.width + x)..<3 * (y * size.width + x) + 3
        #expect(pixels8[pixel].map(Int.init) == expected(sensor, size, x, y, high))
        #expect(pixels16[pixel].map(Int.init) == expected(sensor, size, x, y, full))
      }
    }
  }

  @Test(arguments: TestSensor.all.filter { $0.pattern != nil })
  func `Light is counted from black to white`(sensor: TestSensor) throws {
    let size = ImageSize(width: 4, height: 2)
    var layout = try ImageLayout(size: size, pixelFormat: sensor.format)
    let mosaic = try #require(Mosaic(sensor.format))
    let readers = (MosaicReader<UInt8>(), MosaicReader<UInt16>())
    // The same reader reads pictures with one level and another.
    for level in [0, 64, 16] {
      layout.black = BlackLevel(level, ofWhite: 1023)
      // 64 of 10 bits are 16 of 8 and 4096 of 16.
      let black = sensor.bits < 10 ? level / 4 : level << (sensor.bits - 10)
      let white = 1 << sensor.bits - 1
      for sample in [0, black / 2, black, black + (white - black) / 5, white] {
        var bytes = [UInt8](repeating: 0, count: layout.byteCount)
        for place in 0..<8 { sensor.put(sample, place % 4, place / 4, layout, &bytes) }
        var pixels8 = [UInt8](repeating: 7, count: 24)
        var pixels16 = [UInt16](repeating: 7, count: 24)
        unsafe readers.0.read(bytes, layout, mosaic, rows: 0..<2, into: &pixels8)
        unsafe readers.1.read(bytes, layout, mosaic, rows: 0..<2, into: &pixels16)
        let (shown8, shown16) = (
          sensor.shown(sample, black: black, most: 255),
          sensor.shown(sample, black: black, most: 65_535)
        )
        #expect(pixels8.allSatisfy { Int($0) == shown8 })
        #expect(pixels16.allSatisfy { Int($0) == shown16 })
      }
    }
  }

  @Test(arguments: TestSensor.all.filter { $0.pattern != nil })
  func `Rows that are read apart are those of the whole picture`(sensor: TestSensor) throws {
    let size = ImageSize(width: 20, height: 40)
    let (layout, _, bytes) = try noise(sensor, size)
    let mosaic = try #require(Mosaic(sensor.format))
    let reader = MosaicReader<UInt8>()
    var whole = [UInt8](repeating: 0, count: 60 * 40)
    unsafe reader.read(bytes, layout, mosaic, rows: 0..<40, into: &whole)
    var part = [UInt8](repeating: 0, count: 60 * 19)
    unsafe reader.read(bytes, layout, mosaic, rows: 6..<25, into: &part)
    #expect(part == Array(whole[60 * 6..<60 * 25]))
  }

  @Test(
    arguments: TestSensor.all.filter { $0.pattern != nil }, ImageSize.each((2, 2), (5, 3), (66, 34))
  )
  func `A pixel of a half picture has the colours at the middle of its square`(
    sensor: TestSensor, size: ImageSize
  ) throws {
    let (layout, samples, bytes) = try noise(sensor, size)
    let mosaic = try #require(Mosaic(sensor.format))
    let half = MosaicReader<UInt8>.halfSize(size)
    var pixels = [UInt8](repeating: 0, count: 3 * half.width * half.height)
    unsafe MosaicReader().readHalf(bytes, layout, mosaic, into: &pixels)
    func sample(_ x: Int, _ y: Int) -> Int {
      sensor.shown(
        samples[mirrored(y, size.height) * size.width + mirrored(x, size.width)], most: 255)
    }
    for y in 0..<half.height {
      for x in 0..<half.width {
        var (greens, expected) = (0, [0, 0, 0])
        for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
          let place = (x: 2 * x + column, y: 2 * y + row)
          let channel = sensor.channel(place.x, place.y)
          if channel == 1 { greens += sample(place.x, place.y) }
          // The next samples of the colour beyond the middle of the square, 2 farther.
          let (acrossX, acrossY) = (place.x + 2 - 4 * column, place.y + 2 - 4 * row)
          let sum =
            9 * sample(place.x, place.y) + 3 * sample(acrossX, place.y)
            + 3 * sample(place.x, acrossY) + sample(acrossX, acrossY)
          expected[channel] = (sum + 8) / 16
        }
        expected[1] = (greens + 1) / 2
        let place = 3 * (y * half.width + x)
        #expect(pixels[place..<place + 3].map(Int.init) == expected)
      }
    }
  }

  /// A place inside a row or column of this length that mirrors one beyond its ends.
  private func mirrored(_ place: Int, _ count: Int) -> Int {
    var place = place
    while !(0..<count).contains(place) {
      place = count == 1 ? 0 : place < 0 ? -place : 2 * count - 2 - place
    }
    return place
  }
}
