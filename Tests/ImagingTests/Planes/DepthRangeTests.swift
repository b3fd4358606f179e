import Imaging
import TestSupport
import Testing

struct DepthRangeTests {
  private static func matte(of distances: [UInt16], _ near: Double, _ far: Double) -> Bitmap {
    let bytes = distances.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let size = ImageSize(width: distances.count, height: 1)
    let bitmap = Bitmap(size: size, samples: .grey16, significantBits: 16, bytes: bytes)
    return DepthRange(near: near, far: far).matte(of: bitmap)
  }

  @Test(
    arguments: [
      (0.3, 1.2, [299, 300, 301, 1199, 1200, 1201], [0, 255, 255, 255, 255, 0]),
      // Neither end is exact in binary.
      (1.1, 2.3, [1099, 1100, 2300, 2301], [0, 255, 255, 0]),
      (0.0, 65.535, [0, 1, 65_534, 65_535], [0, 255, 255, 255]),
      (0.0, 0.001, [0, 1, 2], [0, 255, 0]),
      // No whole number of millimetres lies between them.
      (0.3001, 0.3004, [299, 300, 301], [0, 0, 0]),
      (0.2995, 0.3005, [299, 300, 301], [0, 255, 0]),
    ] as [(Double, Double, [UInt16], [UInt8])])
  func `A matte shows what is known to be within the range`(
    near: Double, far: Double, distances: [UInt16], expected: [UInt8]
  ) {
    let matte = Self.matte(of: distances, near, far)
    #expect(matte.samples == .grey8 && matte.significantBits == 8)
    #expect(matte.bytes == expected)
  }

  @Test func `Every distance is on one side of each end`() {
    var random = SeededGenerator(seed: 5)
    let all = (0...UInt16.max).map { $0 }
    for _ in 0..<20 {
      let near = Int.random(in: 0..<65_535, using: &random)
      let far = Int.random(in: (near + 1)...65_535, using: &random)
      let matte = Self.matte(of: all, Double(near) / 1000, Double(far) / 1000)
      let shown = matte.bytes.indices.filter { matte.bytes[$0] == 255 }
      #expect(shown == Array(max(1, near)...far))
      #expect(matte.bytes.allSatisfy { $0 == 0 || $0 == 255 })
    }
  }
}
