import Imaging
import Testing

struct BlackLevelTests {
  @Test(arguments: [(8, 16), (10, 64), (12, 256), (14, 1024), (16, 4096)])
  func `Samples of other bits have it in proportion`(bits: Int, level: Int) throws {
    #expect(try #require(BlackLevel(64, ofWhite: 1023)).level(ofBits: bits) == level)
  }

  @Test func `It is below white in every format`() throws {
    let highest = try #require(BlackLevel(1022, ofWhite: 1023))
    for bits in [8, 10, 12, 14, 16] { #expect(highest.level(ofBits: bits) < 1 << bits - 1) }
    #expect(try #require(BlackLevel(0, ofWhite: 255)).level(ofBits: 16) == 0)
  }

  @Test(arguments: [(-1, 1023), (1023, 1023), (64, 1000), (0, 0), (.max, 65_535)])
  func `Other levels are refused`(level: Int, white: Int) {
    #expect(BlackLevel(level, ofWhite: white) == nil)
  }
}
