@testable import Imaging
import Testing

struct PlaneScalerTests {
  /// - Parameter sample: The value of each sample of the source.
  private func scale(
    from: ImageSize,
    to: ImageSize,
    zoom: Double = 1,
    _ sample: (_ x: Int, _ y: Int) -> UInt8
  ) -> [UInt8] {
    let (source, target) = (PlaneBuffer(), PlaneBuffer())
    let input = unsafe source.planes(from, .grey).luma
    for y in 0..<from.height {
      for x in 0..<from.width { unsafe input.row(y)[x] = sample(x, y) }
    }
    let output = unsafe target.planes(to, .grey).luma
    unsafe PlaneScaler().scale(input.readable, into: output, zoom: Zoom(zoom))
    return unsafe Array(UnsafeBufferPointer(start: output.start, count: to.width * to.height))
  }

  @Test func `A fine chessboard becomes grey`() {
    let scaled = scale(from: ImageSize(width: 64, height: 32), to: ImageSize(width: 32, height: 16))
    { x, y in (x + y).isMultiple(of: 2) ? 255 : 0 }
    #expect(scaled.allSatisfy { $0 == 128 })
  }

  @Test(arguments: [(100, 37), (101, 100), (640, 213), (7, 7), (16_384, 1)])
  func `Each sample is the mean of the area it covers`(source: Int, target: Int) {
    let samples = (0..<source).map { UInt8($0 * 37 % 256) }
    let expected = (0..<target).map { index in
      let (start, end) = (
        Double(index * source) / Double(target), Double((index + 1) * source) / Double(target)
      )
      let sum = samples.indices.reduce(0.0) { sum, sample in
        let cover = min(end, Double(sample + 1)) - max(start, Double(sample))
        return sum + max(0, cover) * Double(samples[sample])
      }
      return sum / (end - start)
    }
    let across = scale(
      from: ImageSize(width: source, height: 3),
      to: ImageSize(width: target, height: 2)
    ) { x, _ in samples[x] }
    let down = scale(
      from: ImageSize(width: 3, height: source),
      to: ImageSize(width: 2, height: target)
    ) { _, y in samples[y] }
    for (index, mean) in expected.enumerated() {
      #expect(abs(Double(across[index]) - mean) <= 0.6)
      #expect(abs(Double(down[2 * index + 1]) - mean) <= 0.6)
    }
  }

  @Test func `White stays white`() {
    let scaled = scale(
      from: ImageSize(width: 641, height: 479), to: ImageSize(width: 99, height: 98)
    ) { _, _ in 255 }
    #expect(scaled.allSatisfy { $0 == 255 })
  }

  @Test(arguments: [
    (40, 40, 1.5), (40, 40, 16), (41, 41, 2), (64, 64, 3.3), (64, 40, 4), (2, 2, 7),
  ])
  func `The middle is enlarged by interpolation`(source: Int, target: Int, zoom: Double) {
    let samples = (0..<source).map { UInt8($0 * 37 % 256) }
    let expected = (0..<target).map { index in
      let middle = Double(source) / 2
      let step = Double(source) / zoom / Double(target)
      let place = middle - step * Double(target) / 2 + (Double(index) + 0.5) * step - 0.5
      let (before, after) = (Int(place.rounded(.down)), Int(place.rounded(.down)) + 1)
      let share = place - Double(before)
      return (1 - share) * Double(samples[before])
        + share * Double(samples[min(after, source - 1)])
    }
    let size = ImageSize(width: target, height: 4)
    let across = scale(from: ImageSize(width: source, height: 4), to: size, zoom: zoom) { x, _ in
      samples[x]
    }
    let turned = ImageSize(width: 4, height: target)
    let down = scale(from: ImageSize(width: 4, height: source), to: turned, zoom: zoom) { _, y in
      samples[y]
    }
    for (index, value) in expected.enumerated() {
      #expect(abs(Double(across[target + index]) - value) <= 0.6)
      #expect(abs(Double(down[4 * index + 1]) - value) <= 0.6)
    }
  }

  @Test(arguments: [(160, 40, 2.0), (160, 40, 4), (100, 30, 1.7), (640, 16, 3)])
  func `A smaller picture of the middle has the means of its areas`(
    source: Int, target: Int, zoom: Double
  ) {
    let samples = (0..<source).map { UInt8($0 * 37 % 256) }
    let size = ImageSize(width: target, height: 4)
    let scaled = scale(from: ImageSize(width: source, height: 4), to: size, zoom: zoom) { x, _ in
      samples[x]
    }
    let (kept, margin) = (Double(source) / zoom, Double(source) * (1 - 1 / zoom) / 2)
    for index in 0..<target {
      let start = margin + kept * Double(index) / Double(target)
      let end = margin + kept * Double(index + 1) / Double(target)
      let sum = samples.indices.reduce(0.0) { sum, sample in
        let cover = min(end, Double(sample + 1)) - max(start, Double(sample))
        return sum + max(0, cover) * Double(samples[sample])
      }
      #expect(abs(Double(scaled[index]) - sum / (end - start)) <= 0.6)
    }
  }
}
