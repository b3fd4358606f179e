import Testing

@testable import CameraProtocol

struct ShownNameTests {
  @Test(arguments: ["calibration", "Küche 2", "校正", "a", "🦾", "e\u{301}", "#1"])
  func `What can be seen is a name`(name: String) { #expect(name.isShownName) }

  @Test(arguments: [
    "", " ", "  ", "\u{3000}", "\u{3164}", "\u{2800}", "\u{115F}", "\u{34F}", "\u{FE0F}", "\u{301}",
    "\u{AD}", "\u{2060}", "a\nb", "\u{1B}[2J",
  ])
  func `What nobody sees is none`(name: String) { #expect(!name.isShownName) }
}
