import CPixels
import Testing

/// Tests many lengths, because the compiled code differs for long vectors, short vectors and single
/// samples.
struct PixelLoopTests {
  private static let lengths = 0...300

  private func expand(
    _ codes: [UInt8],
    _ body: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>, Int) -> Void
  ) -> [UInt8] {
    // One byte more, which must stay unchanged.
    var result = [UInt8](repeating: 77, count: codes.count + 1)
    unsafe body(codes, &result, codes.count)
    #expect(result.removeLast() == 77)
    return result
  }

  @Test func `Luma is within one code of the exact ratio`() {
    let all = unsafe expand([UInt8](0...255), CPixels_expandLuma)
    for (code, found) in all.enumerated() {
      let exact = max(0, min(255, (Double(code) - 16) * 255 / 219))
      #expect(abs(Double(found) - exact) <= 1)
    }
    #expect((all[16], all[235]) == (0, 255))
    for length in Self.lengths {
      let codes = (0..<length).map { UInt8(truncatingIfNeeded: 7 * $0) }
      #expect(unsafe expand(codes, CPixels_expandLuma) == codes.map { all[Int($0)] })
    }
  }

  @Test func `Chroma is within one code of the exact ratio`() {
    let all = unsafe expand([UInt8](0...255), CPixels_expandChroma)
    for (code, found) in all.enumerated() {
      let exact = max(0, min(255, 128 + (Double(code) - 128) * 255 / 224))
      #expect(abs(Double(found) - exact) <= 1)
    }
    #expect(all[128] == 128)
    for length in Self.lengths {
      let codes = (0..<length).map { UInt8(truncatingIfNeeded: 7 * $0) }
      #expect(unsafe expand(codes, CPixels_expandChroma) == codes.map { all[Int($0)] })
    }
  }

  @Test func `Pairs are split`() {
    for length in Self.lengths {
      let pairs = (0..<2 * length).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
      var (firsts, seconds) = (
        [UInt8](repeating: 77, count: length + 1), [UInt8](repeating: 77, count: length + 1)
      )
      unsafe CPixels_split(pairs, &firsts, &seconds, length)
      #expect(firsts == (0..<length).map { pairs[2 * $0] } + [77])
      #expect(seconds == (0..<length).map { pairs[2 * $0 + 1] } + [77])
    }
  }

  /// Runs a loop that makes samples, and checks that it writes so many and no more.
  private func make<Sample: FixedWidthInteger>(
    _ count: Int, _ body: (UnsafeMutablePointer<Sample>) -> Void
  ) -> [Sample] {
    var result = [Sample](repeating: 77, count: count + 1)
    unsafe body(&result)
    #expect(result.removeLast() == 77)
    return result
  }

  @Test func `Samples of 8 bits keep the highest bits`() {
    for length in Self.lengths {
      let words = (0..<length).map { $0 * 7919 & 0xffff }
      let bytes = words.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      for bits in [10, 12, 16] as [Int32] {
        let narrow = unsafe make(length) { unsafe CPixels_narrow(bytes, bits, $0, length) }
        #expect(narrow == words.map { UInt8(clamping: $0 >> (bits - 8)) })
      }
      let firsts = unsafe make(length) { unsafe CPixels_firstBytes(bytes, $0, length) }
      #expect(firsts == words.map { UInt8($0 & 255) })
    }
  }

  @Test func `Groups are unpacked, also incomplete ones`() {
    for length in Self.lengths {
      let groups = (0..<(length + 3) / 4 * 6).map { UInt8(truncatingIfNeeded: 89 * $0) }
      let raw10 = (0..<length).map { x -> UInt16 in
        let (group, place) = (x / 4 * 5, x % 4)
        let low = groups[group + 4] >> UInt8(2 * place) & 3
        return UInt16(groups[group + place]) * 4 + UInt16(low)
      }
      let raw12 = (0..<length).map { x -> UInt16 in
        let (group, place) = (x / 2 * 3, x % 2)
        let low = groups[group + 2] >> UInt8(4 * place) & 15
        return UInt16(groups[group + place]) * 16 + UInt16(low)
      }
      #expect(unsafe make(length) { unsafe CPixels_unpack10(groups, $0, length) } == raw10)
      #expect(unsafe make(length) { unsafe CPixels_unpack12(groups, $0, length) } == raw12)
      let high10 = unsafe make(length) { unsafe CPixels_narrow10(groups, $0, length) }
      #expect(high10 == raw10.map { UInt8($0 >> 2) })
      let high12 = unsafe make(length) { unsafe CPixels_narrow12(groups, $0, length) }
      #expect(high12 == raw12.map { UInt8($0 >> 4) })
    }
  }

  @Test func `Samples are stretched to 16 bits, from black to white`() {
    for bits in [8, 10, 12, 16] as [Int32] {
      let most = (1 << bits) - 1
      var samples = (0...most).map { UInt16($0) } + (bits < 16 ? [0xffff] : [])
      unsafe CPixels_stretch(&samples, bits, samples.count)
      #expect((samples[0], samples[most], samples.last) == (0, 0xffff, 0xffff))
      for (sample, found) in samples.prefix(most + 1).enumerated() {
        let exact = Double(sample) * 65_535 / Double(most)
        #expect(abs(Double(found) - exact) <= Double(65_535 / most / 2 + 1))
      }
    }
  }
}
