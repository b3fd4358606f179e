import Foundation
import TestSupport
import Testing

@testable import CameraWeb

/// Visitors who mean harm, or are mistaken.
@Suite(.timeLimit(.minutes(2)))
struct HostileTests {
  private static let token = "0123456789abcdef"

  /// Whether the gateway still serves others.
  private func isWell(_ web: TestGateway) async throws -> Bool {
    try await web.ask("GET", "/healthz").status == 200
  }

  @Test(arguments: [
    "/../etc/passwd", "/snapshot/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
    "/snapshot/%00.jpg",
    "/snapshot//cam.jpg", "/stream/%2fcam.mjpg",
    "/.git/config",
    "/snapshot/.jpg", "/snapshot/cam.jpg/x", "/snapshot/a/b/c.jpg",
  ])
  func `Tricks with the path find nothing`(_ path: String) async throws {
    try await TestGateway.run { web in
      let status = try await web.ask("GET", path).status
      #expect([400, 404].contains(status), "\(status)")
      #expect(try await isWell(web))
    }
  }

  @Test func `Who sends a header slowly is cut off`() async throws {
    try await TestGateway.run {
      $0.limits.idleTime = .milliseconds(300)
    } _: { web in
      let slow = try web.connect()
      try slow.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
      await slow.waitForEnd()
      let silent = try web.connect()
      await silent.waitForEnd()
      #expect(try await isWell(web))
    }
  }

  @Test func `Who sends a body slowly is cut off`() async throws {
    try await TestGateway.run {
      $0.limits.requestTime = .milliseconds(300)
      $0.tokens = try TokenFile(text: "viewer \(Self.token)", path: "tokens")
    } _: { web in
      let slow = try web.connect()
      try slow.send(
        web.request(
          "POST", "/login",
          ["Content-Type": "application/x-www-form-urlencoded", "Content-Length": "100"]) + "token="
      )
      await slow.waitForEnd()
      #expect(web.gateway.connections.counters.stalled == 1)
      #expect(try await isWell(web))
    }
  }

  @Test func `Who takes nothing is cut off`() async throws {
    try await TestGateway.run(cameras: ["cam=synthetic:1280x720@30,format=MJPG"]) {
      $0.limits.stallTime = .milliseconds(300)
    } _: { web in
      let lazy = try web.connect(receiveBuffer: 4096)
      try lazy.send(web.request("GET", "/stream/cam.mjpg?size=full"))
      try await web.wait { $0.subscribers("full") == 1 }
      try await web.wait { $0.subscribers("full") == 0 }
      #expect(web.gateway.connections.counters.stalled == 1)
    }
  }

  @Test func `Headers and bodies have limits`() async throws {
    try await TestGateway.run {
      $0.tokens = try TokenFile(text: "viewer \(Self.token)", path: "tokens")
    } _: { web in
      let long = String(repeating: "a", count: 20_000)
      for headers in [["X": long], [long: "x"]] {
        let connection = try web.connect()
        try connection.send(web.request("GET", "/healthz", headers))
        await connection.waitForEnd()
      }
      let many = try web.connect()
      try many.send(
        "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
          + (0..<500).map { "A\($0): b\r\n" }.joined() + "\r\n")
      await many.waitForEnd()
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      let reply = try await web.ask(
        "POST", "/login", form, body: String(repeating: "a", count: 70_000))
      #expect(reply.status == 413)
      let chunks = try web.connect()
      try chunks.send(
        web.request("POST", "/login", form.merging(["Transfer-Encoding": "chunked"]) { $1 }))
      for _ in 0..<70 { try chunks.send("400\r\n\(String(repeating: "a", count: 1024))\r\n") }
      #expect(try await chunks.reply().status == 413)
      #expect(try await isWell(web))
    }
  }

  @Test func `Without a token there is nothing but whether it is well`() async throws {
    try await TestGateway.run {
      $0.tokens = try TokenFile(text: "viewer \(Self.token)", path: "tokens")
    } _: { web in
      let paths = [
        "/", "/snapshot/cam.jpg", "/stream/cam.mjpg", "/events", "/metrics", "/api/status",
        "/nothing",
      ]
      for path in paths {
        let reply = try await web.ask("GET", path)
        #expect(reply.status == 401, "\(path)")
        #expect(reply.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
        #expect(!reply.text.contains("\"cam\""))
        let wrong = try await web.ask("GET", path, ["Authorization": "Bearer \(Self.token)0"])
        #expect(wrong.status == 401)
      }
      for path in ["/healthz", "/readyz"] {
        #expect(try await web.ask("GET", path).text == "ok\n")
      }
      let right = try await web.ask(
        "GET", "/snapshot/cam.jpg?when=next", ["Authorization": "Bearer \(Self.token)"])
      #expect(right.status == 200)
    }
  }

  @Test func `A browser gets a cookie for its token`() async throws {
    try await TestGateway.run {
      $0.tokens = try TokenFile(text: "viewer \(Self.token)", path: "tokens")
      $0.prefix = ["cams"]
    } _: { web in
      let page = try await web.ask("GET", "/cams/", ["Accept": "text/html,*/*"])
      #expect(page.status == 303)
      #expect(page.headers["location"] == "/cams/login")
      #expect(try await web.ask("GET", "/cams/login").text.contains("action=\"/cams/login\""))
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      let wrong = try await web.ask("POST", "/cams/login", form, body: "token=nothing")
      #expect(wrong.status == 401)
      #expect(wrong.headers["set-cookie"] == nil)
      let right = try await web.ask("POST", "/cams/login", form, body: "token=\(Self.token)")
      #expect(right.status == 303)
      let cookie = try #require(right.headers["set-cookie"])
      for part in ["HttpOnly", "SameSite=Strict", "Path=/cams/"] { #expect(cookie.contains(part)) }
      #expect(!cookie.contains("Secure"))
      let pair = String(cookie.prefix { $0 != ";" })
      #expect(try await web.ask("GET", "/cams/", ["Cookie": pair]).status == 200)
      let secure = try await web.ask(
        "POST", "/cams/login", form.merging(["X-Forwarded-Proto": "https"]) { $1 },
        body: "token=\(Self.token)")
      #expect(secure.headers["set-cookie"]?.contains("Secure") == true)
    }
  }

  @Test func `Another site's page gets nothing through the browser`() async throws {
    try await TestGateway.run { web in
      let rebound = try await web.ask(
        "GET", "/snapshot/cam.jpg", ["Host": "evil.example:\(web.port)"])
      #expect(rebound.status == 421)
      let embedded = try await web.ask(
        "GET", "/snapshot/cam.jpg",
        ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"])
      #expect(embedded.status == 403)
      let own = try await web.ask("GET", "/healthz")
      #expect(own.headers["access-control-allow-origin"] == nil)
      #expect(own.headers["cross-origin-resource-policy"] == "same-origin")
      #expect(own.headers["x-content-type-options"] == "nosniff")
      // With no-referrer, browsers would send the form of the login with `Origin: null`.
      #expect(own.headers["referrer-policy"] == "same-origin")
    }
  }

  @Test func `There is a limit of connections`() async throws {
    try await TestGateway.run {
      $0.limits.connections = 4
      $0.limits.idleTime = .seconds(600)
    } _: { web in
      let connections = try (0..<4).map { _ in try web.connect() }
      for connection in connections {
        try connection.send(web.request("GET", "/healthz"))
        #expect(try await connection.reply().status == 200)
      }
      let another = try web.connect()
      await another.waitForEnd()
      connections[0].end()
      await connections[0].waitForEnd()
      while web.gateway.connections.counters.open > 3 { await Task.yield() }
      #expect(try await isWell(web))
    }
  }

  @Test func `Methods are those of the address`() async throws {
    try await TestGateway.run { web in
      let wrong = try await web.ask(
        "POST", "/snapshot/cam.jpg", ["Content-Type": "application/json"], body: "{}")
      #expect(wrong.status == 405)
      #expect(wrong.headers["allow"] == "GET")
      let head = try await web.ask("HEAD", "/healthz")
      #expect(head.status == 200)
      #expect(head.headers["content-length"] == "3")
      #expect(try await web.ask("HEAD", "/stream/cam.mjpg").status == 405)
      #expect(try await web.ask("DELETE", "/").status == 405)
    }
  }

  @Test func `What is no HTTP is answered or ended, and never harms`() async throws {
    try await TestGateway.run { web in
      var generator = SeededGenerator(seed: 1)
      let start = Array(web.request("GET", "/snapshot/cam.jpg?when=now").utf8)
      for _ in 0..<200 {
        var bytes = start
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
          let index = Int.random(in: 0..<bytes.count, using: &generator)
          bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        let connection = try web.connect()
        try connection.send(bytes)
        connection.endSending()
        await connection.waitForEnd()
      }
      #expect(try await isWell(web))
    }
  }
}
