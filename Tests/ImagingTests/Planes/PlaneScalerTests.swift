@testable import Imaging
import Testing

struct PlaneScalerTests {
  /// - Parameter sample: The value of each sample of the source.
  private func scale(
    from: ImageSize,
    to: ImageSize,
    _ sample: (_ x: Int, _ y: Int) -> UInt8
  ) -> [UInt8] {
    let (source, target) = (PlaneBuffer(), PlaneBuffer())
    let input = unsafe source.planes(from, .grey).luma
    for y in 0..<from.height {
      for x in 0..<from.width { unsafe input.row(y)[x] = sample(x, y) }
    }
    let output = unsafe target.planes(to, .grey).luma
    unsafe PlaneScaler().scale(input.readable, into: output)
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
}
