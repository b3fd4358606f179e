import Testing

@testable import CameraWeb

struct RequestTargetTests {
  @Test func `A target has the parts of the path and the values of the query`() throws {
    let target = try RequestTarget(
      "/cams/snapshot/b%C3%A4r.jpg?when=at:+0.5s&size=640x480&empty=&flag", below: ["cams"])
    #expect(target.path == ["snapshot", "bär.jpg"])
    #expect(
      target.query == ["when": "at:+0.5s", "size": "640x480", "empty": "", "flag": ""])
  }

  @Test(arguments: [("/", []), ("/cams", ["cams"]), ("/cams/", ["cams"])])
  func `A slash at the end does not count`(_ text: String, _ prefix: [String]) throws {
    #expect(try RequestTarget(text, below: prefix).path.isEmpty)
  }

  @Test(arguments: [
    "", "*", "snapshot", "http://evil.example/", "/..", "/a/../b", "/%2e%2e/b", "/.", "/a%2Fb",
    "/%", "/%4", "/%zz", "/%+1", "/%00", "/%0d%0aX", "/%ff", "/a?b=%", "/a?b=1&b=2",
    "/" + String(repeating: "a", count: RequestTarget.longest),
    "/?" + (0..<40).map { "a\($0)=" }.joined(separator: "&"),
  ])
  func `What could mean something else is refused`(_ text: String) {
    #expect(throws: HTTPFailure.self) { try RequestTarget(text) }
  }

  @Test(arguments: ["/", "/other/a", "/camsa", "//cams/a", "/cams//a"])
  func `Nothing is beside the prefix`(_ text: String) {
    #expect(throws: HTTPFailure.noSuchPage) { try RequestTarget(text, below: ["cams"]) }
  }

  @Test func `A misspelt name is refused, not ignored`() throws {
    let target = try RequestTarget("/a?tolerence=20ms")
    let failure = #expect(throws: HTTPFailure.self) {
      try target.requireQuery(of: ["tolerance"])
    }
    #expect(failure?.field == "tolerence")
  }
}
