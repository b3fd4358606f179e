@testable import Imaging
import Testing

struct RangeExpansionTests {
  private func expand(_ kind: PlaneKind) -> [UInt8] {
    let codes = [UInt8](0...255)
    var result = codes
    unsafe RangeExpansion.expand(codes, kind, count: codes.count, &result)
    return result
  }

  @Test func `Luma is within one code of the exact ratio`() {
    for (code, found) in expand(.luma).enumerated() {
      let exact = max(0, min(255, (Double(code) - 16) * 255 / 219))
      #expect(abs(Double(found) - exact) <= 1)
    }
    #expect(expand(.luma)[16] == 0)
    #expect(expand(.luma)[235] == 255)
  }

  @Test func `Chroma is within one code of the exact ratio`() {
    for (code, found) in expand(.chroma).enumerated() {
      let exact = max(0, min(255, 128 + (Double(code) - 128) * 255 / 224))
      #expect(abs(Double(found) - exact) <= 1)
    }
    #expect(expand(.chroma)[128] == 128)
  }
}
