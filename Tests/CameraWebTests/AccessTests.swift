import Glibc
import HTTPTypes
import Keys
import TestSupport
import Testing

@testable import CameraWeb

struct TokenFileTests {
  private static let (viewer, owner) = ("viewer-0123456789", "operator-0123456789")

  @Test func `Each token has the role of its line`() throws {
    let file = try TokenFile(
      text: "# people\n\nviewer \(Self.viewer)\n operator\t\(Self.owner) \n", path: "tokens")
    #expect(file.role(of: Self.viewer) == .viewer)
    #expect(file.role(of: Self.owner) == .operator)
    for other in ["", "viewer", Self.viewer + "0", String(Self.viewer.dropLast())] {
      #expect(file.role(of: other) == nil)
    }
  }

  @Test(arguments: [
    ("", "has no token"), ("viewer", "tokens:1"), ("admin 0123456789abcdef", "tokens:1"),
    ("# a\nviewer short", "tokens:2"), ("viewer 0123456789abcdef extra", "tokens:1"),
    ("viewer 0123456789abcdeä", "tokens:1"), ("viewer 0123456789abcde;", "tokens:1"),
    ("viewer 0123456789abcdef\noperator 0123456789abcdef", "tokens:2"),
  ])
  func `A mistake names its line and not the token`(_ text: String, _ words: String) {
    let error = #expect(throws: KeyError.self) { try TokenFile(text: text, path: "tokens") }
    #expect(error?.description.contains(words) == true)
    #expect(error?.description.contains("0123456789") == false)
  }

  @Test func `A file that others may read is refused`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("viewer \(Self.viewer)\n", to: "tokens")
    _ = unsafe chmod(path, 0o644)
    let error = #expect(throws: KeyError.self) { try TokenFile(path) }
    #expect(error?.description.contains("chmod 600") == true)
    _ = unsafe chmod(path, 0o600)
    #expect(try TokenFile(path).role(of: Self.viewer) == .viewer)
  }
}

struct AccessRulesTests {
  private static let token = "0123456789abcdef"

  private func rules(hasTokens: Bool = false) throws -> AccessRules {
    let tokens = try hasTokens ? TokenFile(text: "viewer \(Self.token)", path: "tokens") : nil
    return AccessRules(tokens: tokens, hosts: ["cameras.example.org"])
  }

  private func head(
    _ method: HTTPRequest.Method = .get, host: String? = "127.0.0.1:8080",
    headers: [String: String] = [:]
  ) -> HTTPRequest {
    var head = HTTPRequest(method: method, scheme: nil, authority: host, path: "/")
    for (name, value) in headers { head.headerFields[.unchecked(name)] = value }
    return head
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:8080", "192.168.1.10",
    "Cameras.example.org", "cameras.example.org:443",
  ])
  func `Addresses and known names are the gateway's own`(_ host: String) throws {
    try rules().requireOwnSite(head(host: host))
  }

  @Test(arguments: [
    nil, "", "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "1.2.3.4.5", "1.2.3",
    "256.1.1.1", "localhost.evil.example",
  ])
  func `A name that is made to lead here is refused`(_ host: String?) throws {
    let failure = #expect(throws: HTTPFailure.self) {
      try rules().requireOwnSite(head(host: host))
    }
    #expect(failure?.code == "hostNotAllowed")
  }

  @Test(arguments: [
    (HTTPRequest.Method.get, ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"]),
    (.get, ["Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"]),
    (.post, ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]),
    (.post, ["Origin": "https://evil.example"]), (.post, ["Origin": "null"]),
    (.post, ["Origin": "http://127.0.0.1:9090"]),
  ])
  func `Another site may not ask`(_ method: HTTPRequest.Method, _ headers: [String: String]) throws
  {
    for hasTokens in [false, true] {
      #expect(throws: HTTPFailure.crossSite) {
        try rules(hasTokens: hasTokens).requireOwnSite(head(method, headers: headers))
      }
    }
  }

  @Test(arguments: [
    (HTTPRequest.Method.get, [:] as [String: String]), (.get, ["Sec-Fetch-Site": "same-origin"]),
    (.get, ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]),
    (.post, ["Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:8080"]),
    (.post, ["Origin": "https://127.0.0.1:8080"]),
  ])
  func `Its own pages, programs and links may ask`(
    _ method: HTTPRequest.Method, _ headers: [String: String]
  ) throws {
    try rules().requireOwnSite(head(method, headers: headers))
  }

  @Test(arguments: [
    ["Authorization": "Bearer \(token)"], ["Authorization": "bearer \(token)"],
    ["Cookie": "camweb=\(token)"], ["Cookie": "other=1; camweb=\(token); more=2"],
  ])
  func `A token comes in a header or in a cookie`(_ headers: [String: String]) throws {
    #expect(try rules(hasTokens: true).role(of: head(headers: headers)) == .viewer)
  }

  @Test(arguments: [
    [:], ["Authorization": token], ["Authorization": "Basic \(token)"],
    ["Authorization": "Bearer \(token)0"], ["Authorization": "Bearer"],
    ["Cookie": "xcamweb=\(token)"], ["Cookie": "camweb="],
    // What was meant counts, not what is left of another visit.
    ["Authorization": "Bearer wrong", "Cookie": "camweb=\(token)"],
  ])
  func `Nobody comes in without a token`(_ headers: [String: String]) throws {
    let failure = #expect(throws: HTTPFailure.self) {
      try rules(hasTokens: true).role(of: head(headers: headers))
    }
    #expect(failure?.status == .unauthorized)
  }

  @Test func `Without tokens everybody may do everything`() throws {
    #expect(try rules().role(of: head()) == .operator)
  }
}
