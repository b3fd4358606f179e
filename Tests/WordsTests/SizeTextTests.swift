import Testing
import Words

struct SizeTextTests {
  @Test(arguments: [("1x1", 1, 1), ("1280x720", 1280, 720), ("0640x65535", 640, 65_535)])
  func `A size is two numbers`(text: String, width: Int, height: Int) throws {
    let sides = try #require(SizeText.sides(of: text))
    #expect(sides == (width, height))
  }

  @Test(
    arguments: [
      "", "x", "640", "640x", "x480", "640x480xjunk", "640x480x", "640X480", "640 x 480", "0x480",
      "640x65536", "-640x480", "+640x480", "640x4.8", "\u{0661}x2",
    ])
  func `Anything else is none`(text: String) { #expect(SizeText.sides(of: text) == nil) }
}
