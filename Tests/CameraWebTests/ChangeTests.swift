import CameraClient
import Foundation
import Testing

@testable import CameraWeb

/// What operators may do: photos, recordings, controls and sessions.
@Suite(.timeLimit(.minutes(2)))
struct ChangeTests {
  private static let json = ["Content-Type": "application/json"]

  private func post(
    _ web: TestGateway, _ target: String, _ body: String? = nil, _ headers: [String: String] = [:]
  ) async throws -> WebConnection.Reply {
    try await web.ask("POST", target, Self.json.merging(headers) { $1 }, body: body ?? "")
  }

  @Test func `A photo is taken into the library`() async throws {
    try await TestGateway.run { web in
      let reply = try await post(
        web, "/capture/cam", #"{"when": "next", "formats": ["jpeg", "png"], "tags": ["night"]}"#)
      #expect(reply.status == 201, "\(reply.text)")
      let photo = try reply.problem
      let assets = try #require(photo["assets"] as? [[String: Any]])
      #expect(assets.compactMap { $0["mediaType"] as? String } == ["image/jpeg", "image/png"])
      #expect((photo["resolved"] as? [String: Any])?["frameSequence"] != nil)
      try await withCameraBus(web.controls[0]) { bus in
        let kept = try await bus.assets()
        #expect(kept.count == 2)
        #expect(kept.allSatisfy { $0.tags == ["night"] })
        #expect(kept.contains { "\($0.id)" == assets[0]["id"] as? String })
      }
    }
  }

  @Test func `A recording is started and stopped, and errors are those of the bus`() async throws {
    try await TestGateway.run { web in
      let none = try await post(web, "/record/stop/cam")
      #expect(none.status == 409)
      #expect(try none.problem["code"] as? String == "conflict")
      let start = try await post(web, "/record/start/n0/cam", #"{"duration": "1h"}"#)
      #expect(start.status == 201, "\(start.text)")
      let id = try #require(try start.problem["id"] as? String)
      try await web.wait { ($0.cameras[0].recording?.frames ?? 0) > 2 }
      #expect(try await post(web, "/record/pause/cam").status == 200)
      #expect(try await post(web, "/record/resume/cam").status == 200)
      let stop = try await post(web, "/record/stop/cam", "{}")
      #expect(stop.status == 200, "\(stop.text)")
      let asset = try #require(try stop.problem["asset"] as? [String: Any])
      #expect(asset["requestID"] as? String == id)
    }
  }

  @Test func `Controls are shown, and set all or none`() async throws {
    try await TestGateway.run { web in
      let shown = try await web.ask("GET", "/controls/cam").problem
      let controls = try #require(shown["controls"] as? [[String: Any]])
      #expect(controls.contains { $0["id"] as? String == "brightness" })
      let set = try await post(
        web, "/controls/cam",
        #"{"settings": [{"id": "brightness", "value": 77}, {"id": "zoom", "value": 2}]}"#)
      #expect(set.status == 200, "\(set.text)")
      let values = try #require(try set.problem["controls"] as? [[String: Any]])
        .map { $0["value"] as? Double }
      #expect(values == [77, 2])
      let unknown = try await post(
        web, "/controls/cam",
        #"{"settings": [{"id": "brightness", "value": 78}, {"id": "nothing", "value": 1}]}"#)
      #expect(unknown.status == 404)
      try await withCameraBus(web.controls[0]) { bus in
        let value = try await bus.camera("cam").value(of: "brightness")
        #expect(value == 77)
      }
      #expect(try unknown.problem["code"] as? String == "noSuchControl")
    }
  }

  @Test func `A session is stopped, started, suspended and resumed`() async throws {
    try await TestGateway.run { web in
      func state(_ action: String, _ body: String? = nil) async throws -> String? {
        try await post(web, "/session/\(action)/cam", body).problem["state"] as? String
      }
      #expect(try await state("stop") == "stopped")
      let refused = try await post(web, "/capture/cam")
      #expect(refused.status == 409)
      #expect(try refused.problem["reason"] as? String == "sessionStopped")
      #expect(try await ["starting", "running"].contains(state("start")))
      #expect(try await state("suspend", #"{"reason": "cleaning"}"#) == "interrupted")
      #expect(try await state("resume") != "interrupted")
    }
  }

  @Test(arguments: [
    ("/capture/cam", "[]", nil), ("/capture/cam", "{", nil),
    ("/capture/cam", #"{"whn": "now"}"#, "whn"), ("/capture/cam", #"{"when": 5}"#, "when"),
    ("/capture/cam", #"{"formats": ["gif"]}"#, "formats.0"),
    ("/capture/cam", #"{"tolerance": "soon"}"#, "tolerance"),
    ("/record/start/cam", #"{"duration": "0s"}"#, "duration"),
    ("/record/stop/cam", #"{"when": "now"}"#, "when"),
    ("/session/stop/cam", #"{"reason": "x"}"#, "reason"),
    ("/controls/cam", "{}", "settings"), ("/controls/cam", #"{"settings": []}"#, "settings"),
    ("/controls/cam", #"{"settings": [{"id": "zoom"}]}"#, "settings.0.value"),
  ])
  func `A mistake in the body is named`(_ target: String, _ body: String, _ field: String?)
    async throws
  {
    try await TestGateway.run { web in
      let reply = try await post(web, target, body)
      #expect(reply.status == 400, "\(reply.text)")
      #expect(try reply.problem["field"] as? String == field)
    }
  }

  @Test func `A viewer changes nothing, and no other site does`() async throws {
    let (viewer, owner) = ("viewer-0123456789", "operator-0123456789")
    try await TestGateway.run {
      $0.tokens = try TokenFile(text: "viewer \(viewer)\noperator \(owner)", path: "tokens")
    } _: { web in
      let targets = [
        "/capture/cam", "/record/start/cam", "/record/stop/cam", "/session/stop/cam",
        "/controls/cam",
      ]
      for target in targets {
        #expect(try await post(web, target).status == 401)
        let refused = try await post(web, target, "{}", ["Authorization": "Bearer \(viewer)"])
        #expect(refused.status == 403)
        #expect(try refused.problem["code"] as? String == "operatorRequired")
        for headers in [
          ["Origin": "https://evil.example"], ["Sec-Fetch-Site": "cross-site"],
        ] {
          let cookie = ["Cookie": "camweb=\(owner)"].merging(headers) { $1 }
          #expect(try await post(web, target, "{}", cookie).status == 403)
        }
        // A form of another site may have such types.
        let form = try await post(
          web, target, "{}", ["Cookie": "camweb=\(owner)", "Content-Type": "text/plain"])
        #expect(form.status == 415)
      }
      let taken = try await post(
        web, "/capture/cam", "{}", ["Authorization": "Bearer \(owner)"])
      #expect(taken.status == 201)
      let controls = try await web.ask(
        "GET", "/controls/cam", ["Authorization": "Bearer \(viewer)"])
      #expect(controls.status == 200)
      try await withCameraBus(web.controls[0]) { bus in
        let (assets, status) = (try await bus.assets(), try await bus.status())
        #expect(assets.count == 1)
        #expect(status.cameras[0].state == .running)
      }
    }
  }
}
