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
}
