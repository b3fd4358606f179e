import Testing
import Words

struct WordsTests {
  @Test(arguments: [
    (0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (66_678_784, "63.6 MiB"), (64 << 20, "64 MiB"),
    (5 << 30, "5 GiB"),
  ])
  func `Bytes have the unit that fits`(count: Int, words: String) {
    #expect(count.byteWords == words)
  }

  @Test(arguments: [(0, "0 replies"), (1, "1 reply"), (2, "2 replies")])
  func `One thing is singular`(count: Int, words: String) {
    #expect(count.counted("reply") == words)
  }

  @Test func `A duration may need its unit`() {
    #expect(DurationText.parse("5") == .seconds(5))
    #expect(DurationText.parse("5", needsUnit: true) == nil)
    #expect(DurationText.parse("5ms", needsUnit: true) == .milliseconds(5))
  }

  @Test(
    arguments: [
      ("64MiB", 64 << 20), ("1.5 GiB", 3 << 29), ("0B", 0), ("1024TiB", 1 << 50), ("7KiB", 7 << 10),
      ("64", nil), ("MiB", nil), ("-1B", nil), ("1025TiB", nil), ("1e3B", nil), ("64MB", nil),
      ("infB", nil), ("", nil),
    ] as [(String, Int?)])
  func `A size has a unit`(text: String, byteCount: Int?) {
    #expect(ByteCountText.parse(text) == byteCount)
  }
}
