import Testing
import Words

struct NearestWordTests {
  private static let verbs = [
    "status", "cameras", "capture", "record", "controls", "download",
    "zoom", "count",
  ]

  @Test(arguments: [
    ("statu", "status"), ("stauts", "status"), ("sttus", "status"), ("camera", "cameras"),
    ("captrue", "capture"), ("recrod", "record"), ("control", "controls"), ("donwlaod", "download"),
    ("down", "download"),
  ])
  func `A misspelt word brings the one that was meant`(misspelt: String, meant: String) {
    #expect(Self.verbs.nearest(to: misspelt) == meant)
  }

  @Test(arguments: ["", "x", "photo", "stop", "recordings-of-today", "co", "out", "foo"])
  func `A word that is far from all others brings none`(word: String) {
    #expect(Self.verbs.nearest(to: word) == nil)
  }

  @Test func `A letter is not replaced by another one-letter word`() {
    #expect(["a", "b"].nearest(to: "c") == nil)
  }
}
