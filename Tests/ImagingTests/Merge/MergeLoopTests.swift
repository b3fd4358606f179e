import CPixels
import TestSupport
import Testing

/// Tests many lengths, because the compiled code differs for long vectors, short vectors and single
/// samples.
struct MergeLoopTests {
  private static let lengths = Array(1...70) + [255, 256, 257]

  @Test func `One byte of each pair is replaced`() {
    for length in Self.lengths {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: 3 * $0 + 1) }
      for first in [0, 1] {
        // One byte more, which must stay unchanged.
        var pairs = [UInt8](repeating: 77, count: 2 * length + 1)
        unsafe CPixels_replace(bytes, &pairs, first, length)
        let expected = (0..<2 * length).map { $0 % 2 == first ? bytes[$0 / 2] : 77 }
        #expect(pairs == expected + [77])
      }
    }
  }

  @Test func `Pixels of 16 bits are taken apart and joined again`() {
    for length in Self.lengths {
      let pixels = (0..<2 * length).map { UInt8(truncatingIfNeeded: 37 * $0 ^ $0 >> 3) }
      var samples = [UInt8](repeating: 77, count: 3 * length + 1)
      unsafe CPixels_unpack565(pixels, &samples, length)
      var expected: [UInt8] = []
      for index in 0..<length {
        let word = UInt16(pixels[2 * index]) | UInt16(pixels[2 * index + 1]) << 8
        expected += [UInt8(word >> 11), UInt8(word >> 5 & 63), UInt8(word & 31)]
      }
      #expect(samples == expected + [77])
      var joined = [UInt8](repeating: 77, count: 2 * length + 1)
      unsafe CPixels_pack565(samples, &joined, length)
      #expect(joined == pixels + [77])
    }
  }

  @Test func `Differences are amplified, rounded and limited`() {
    for length in Self.lengths {
      let samples = (0..<length).map { UInt16(truncatingIfNeeded: 7919 * $0) }
      let others = Array(samples.reversed())
      let gains = (0..<length).map { 0.01 * Float($0 % 30) }
      let bytes = samples.map { UInt8(truncatingIfNeeded: $0) }
      let otherBytes = others.map { UInt8(truncatingIfNeeded: $0) }
      var deep = [Int16](repeating: 77, count: length + 1)
      unsafe CPixels_differences(samples, others, true, gains, &deep, length)
      var plain = [Int16](repeating: 77, count: length + 1)
      unsafe CPixels_differences(bytes, otherBytes, false, gains, &plain, length)
      #expect((deep.removeLast(), plain.removeLast()) == (77, 77))
      for x in 0..<length {
        #expect(deep[x] == amplified(Int(others[x]) - Int(samples[x]), gains[x]))
        #expect(plain[x] == amplified(Int(otherBytes[x]) - Int(bytes[x]), gains[x]))
      }
    }
  }

  private func amplified(_ difference: Int, _ gain: Float) -> Int16 {
    // 81 of them fit into 16 bits.
    Int16(max(-404, min(404, (Float(difference) * gain).rounded())))
  }

  @Test(arguments: [1, 2, 3, 4])
  func `Each of three measures lowers a weight by itself`(_ step: Int) {
    let limits = CPixels_MergeLimits(
      sumLow: 200, sumHigh: 400, magnitudeLow: 1000, magnitudeHigh: 1500, sampleLow: 40,
      sampleHigh: 60)
    func ramp(_ value: Int, _ low: Int, _ high: Int) -> Int {
      max(0, min(16, (high - value) * 16 / (high - low)))
    }
    for length in Self.lengths {
      let padded = length + 8 * step
      let sums = (0..<padded).map { (index: Int) -> Int16 in
        Int16((index * 29 % 61 - 30) * (index / 20 % 4))
      }
      let magnitudes = (0..<padded).map { (index: Int) -> Int16 in Int16(100 + index * 13 % 80) }
      let differences = (0..<length).map { (index: Int) -> Int16 in Int16(index * 17 % 141 - 70) }
      var weights = [UInt8](repeating: 77, count: length + 1)
      var copy = limits
      unsafe CPixels_weigh(sums, magnitudes, differences, step, &copy, &weights, length)
      #expect(weights.removeLast() == 77)
      for (index, weight) in weights.enumerated() {
        let box = (0..<9).map { index + $0 * step }
        let sum = abs(box.reduce(0) { $0 + Int(sums[$1]) })
        let magnitude = box.reduce(0) { $0 + Int(magnitudes[$1]) }
        let expected = min(
          ramp(sum, 200, 400), ramp(magnitude, 1000, 1500),
          ramp(abs(Int(differences[index])), 40, 60))
        #expect(abs(Int(weight) - expected) <= 1, "\(sum) \(magnitude) \(differences[index])")
      }
    }
  }

  @Test func `Sums become rounded means, and of the reference alone its own samples`() {
    var random = SeededGenerator(for: "merge sums")
    for length in Self.lengths {
      for isDeep in [false, true] {
        let most: UInt16 = isDeep ? .max : 255
        let rows = (0..<8).map { _ in
          (0..<length).map { _ in UInt16.random(in: 0...most, using: &random) }
        }
        let weights = (1..<8).map { _ in
          (0..<length).map { _ in UInt8.random(in: 0...16, using: &random) }
        }
        var sums = [UInt32](repeating: 0, count: length)
        var weightSums = [UInt8](repeating: 0, count: length)
        // Bytes need half of this.
        var means = [UInt16](repeating: 0, count: length)
        func samples(_ row: [UInt16]) -> [UInt8] {
          row.flatMap { isDeep ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0)] }
        }
        func read() -> [UInt16] {
          isDeep
            ? means
            : (0..<length).map { means[$0 / 2] >> (8 * UInt16($0 % 2)) & 255 }
        }
        unsafe CPixels_startSums(samples(rows[0]), isDeep, &sums, &weightSums, length)
        unsafe CPixels_divideSums(sums, weightSums, isDeep, &means, length)
        #expect(read() == rows[0])
        for index in 1..<8 {
          unsafe CPixels_addToSums(
            samples(rows[index]), isDeep, weights[index - 1], &sums, &weightSums, length)
        }
        unsafe CPixels_divideSums(sums, weightSums, isDeep, &means, length)
        for (x, found) in read().enumerated() {
          let shares = [16.0] + weights.map { Double($0[x]) }
          let sum = zip(rows, shares).reduce(0.0) { $0 + Double($1.0[x]) * $1.1 }
          #expect(abs(Double(found) - sum / shares.reduce(0, +)) <= 0.51)
        }
      }
    }
  }
}
