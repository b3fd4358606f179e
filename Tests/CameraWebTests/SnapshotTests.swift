import CameraClient
import CameraRig
import Foundation
import HTTPTypes
import Testing

@testable import CameraWeb

@Suite(.timeLimit(.minutes(2)))
struct SnapshotTests {
  @Test func `A snapshot is a JPEG, says which frame it shows, and is not kept`() async throws {
    try await TestGateway.run { web in
      let reply = try await web.ask("GET", "/snapshot/cam.jpg?when=next")
      #expect(reply.status == 200)
      #expect(reply.headers["content-type"] == "image/jpeg")
      #expect(reply.body.starts(with: [0xff, 0xd8]))
      #expect(reply.headers["cache-control"] == "no-store")
      #expect(Int(reply.headers["camerabus-frame"] ?? "") ?? 0 > 0)
      let offset = try #require(Double(reply.headers["camerabus-offset"] ?? ""))
      let bounds = try #require(reply.headers["camerabus-offset-bounds"])
        .split(separator: " ").compactMap { Double($0) }
      // The exposure began after the request, and the frame's time lies within it.
      #expect(bounds.count == 2 && 0 <= bounds[0] && bounds[0] <= offset && offset <= bounds[1])
      let time = try #require(Double(reply.headers["x-timestamp"] ?? ""))
      #expect(abs(Date().timeIntervalSince1970 - time) < 60)
      try await withCameraBus(web.controls[0]) { bus in
        let assets = try await bus.assets()
        #expect(assets.isEmpty)
      }
    }
  }

  @Test func `The query chooses the moment, the size and how exact it must be`() async throws {
    try await TestGateway.run { web in
      _ = try await web.ask("GET", "/snapshot/cam.jpg?when=next")
      let past = try await web.ask(
        "GET", "/snapshot/cam.jpg?when=past:0.01s&size=160x120&quality=50")
      #expect(past.status == 200, "\(past.text)")
      let missed = try await web.ask("GET", "/snapshot/cam.jpg?when=past:50s&tolerance=1ms")
      #expect(missed.status == 404)
      #expect(try missed.problem["code"] as? String == "frameUnavailable")
    }
  }

  @Test(arguments: [
    ("when=yesterday", "when"), ("when=past:", "when"), ("when=at:+61s", "when"),
    ("tolerance=0s", "tolerance"), ("size=big", "size"), ("quality=0", "quality"),
    ("quality=101", "quality"), ("qualty=50", "qualty"), ("when=now&when=next", "when"),
  ])
  func `A wrong value is named`(_ query: String, _ field: String) throws {
    let failure = #expect(throws: HTTPFailure.self) {
      try SnapshotRoute.order(try RequestTarget("/?\(query)"))
    }
    #expect(failure?.status == .badRequest)
    #expect(failure?.field == field)
  }

  @Test func `An error of the bus is a problem document`() async throws {
    try await TestGateway.run { web in
      let reply = try await web.ask("GET", "/snapshot/other.jpg")
      #expect(reply.status == 404)
      #expect(reply.headers["content-type"] == "application/problem+json")
      let problem = try reply.problem
      #expect(problem["type"] as? String == "urn:camerabus:error:noSuchCamera")
      #expect(problem["title"] as? String == "no such camera")
      #expect(problem["status"] as? Int == 404)
      #expect((problem["detail"] as? String)?.contains("cam") == true)
    }
  }

  @Test func `With several nodes an address names the node`() async throws {
    try await TestGateway.run(nodes: 2) { web in
      #expect(try await web.ask("GET", "/snapshot/n1/cam.jpg?when=next").status == 200)
      let unnamed = try await web.ask("GET", "/snapshot/cam.jpg")
      #expect(unnamed.status == 404)
      #expect(unnamed.text.contains("n0, n1"))
      #expect(try await web.ask("GET", "/snapshot/n2/cam.jpg").status == 404)
      let status = try await web.ask("GET", "/api/status").problem
      let nodes = try #require(status["nodes"] as? [[String: Any]])
      #expect(nodes.compactMap { $0["nodeName"] as? String } == ["n0", "n1"])
    }
  }

  @Test func `Below a prefix nothing is beside it`() async throws {
    try await TestGateway.run {
      $0.prefix = ["cams"]
    } _: { web in
      #expect(try await web.ask("GET", "/cams/snapshot/cam.jpg?when=next").status == 200)
      #expect(try await web.ask("GET", "/snapshot/cam.jpg").status == 404)
      let page = try await web.ask("GET", "/cams/")
      #expect(page.text.contains("src=\"/cams/stream/n0/cam.mjpg\""))
    }
  }

  @Test func `A node that is not there is no reason to fail, and is told`() async throws {
    var configuration = WebGateway.Configuration(
      nodes: [RigConnection(name: "n0", control: "tcp://127.0.0.1:1", credentials: [nil])])
    configuration.port = 0
    configuration.bus.connectTimeout = .milliseconds(50)
    try await TestGateway.serve(configuration, []) { web in
      #expect(try await web.ask("GET", "/healthz").status == 200)
      #expect(try await web.ask("GET", "/readyz").status == 503)
      let reply = try await web.ask("GET", "/snapshot/cam.jpg")
      #expect(reply.status == 503)
      #expect(reply.headers["retry-after"] == "1")
      #expect(try await web.ask("GET", "/api/status").text.contains("unreachable"))
    }
  }
}
