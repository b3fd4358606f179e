import CameraClient
import CameraNode
import Foundation
import TestSupport
import Testing

/// `camctl capture --deferred`, and what the other verbs make of proxies.
@Suite(.timeLimit(.minutes(5)))
struct DeferredCommandTests {
  private static let jpeg: [UInt8] = [0xff, 0xd8]
  private static let png: [UInt8] = [0x89, 0x50]

  @Test func `The photo is its proxy, and its request has the final files later`() async throws {
    try await withNode { node, folder in
      let photo = try await camctl(
        node.control, "capture", "--camera", "right", "--deferred", "--format", "png,raw",
        "--output", "\(folder.path)/a.jpg")
      #expect(photo.status == 0, "\(photo.errors)")
      #expect(photo.output.contains("a proxy"))
      #expect(try folder.read("a.jpg").starts(with: Self.jpeg))
      let words = photo.errors.split(whereSeparator: \.isWhitespace).map(String.init)
      #expect(words.dropLast().suffix(3) == ["camctl", "download", "--request"])
      let request = try #require(words.last)

      let place = "\(folder.path)/final-%d.{ext}"
      let download = ["download", "--request", request, "--output", place]
      let fetched = try await camctl(node.control, download + ["--wait"])
      #expect(fetched.status == 0, "\(fetched.errors)")
      #expect(try folder.names == ["a.jpg", "final-1.png", "final-2.raw", "library"])
      #expect(try folder.read("final-1.png").starts(with: Self.png))

      // It is the same without waiting now.
      let again = try await camctl(node.control, download + ["--overwrite"])
      #expect(again.status == 0, "\(again.errors)")
      #expect(again.output.lines.count == 2)
    }
  }

  @Test func `With --wait the final photo has its own name, and the proxy stands beside it`()
    async throws
  {
    try await withNode { node, folder in
      try folder.write("mine", to: "photo-proxy.jpg")
      let capture = [
        "capture", "--camera", "right", "--deferred", "--wait", "--format", "png", "--output",
        "\(folder.path)/photo.png",
      ]
      let refused = try await camctl(node.control, capture)
      refused.expectOneLine(of: "camctl", status: 1, remedy: "replace it with --overwrite")
      #expect(try await camctl(node.control, ["assets", "--json"]).output.isEmpty)
      #expect(try folder.names == ["library", "photo-proxy.jpg"])

      let taken = try await camctl(node.control, capture + ["--overwrite", "--json"])
      #expect(taken.status == 0, "\(taken.errors)")
      #expect(try folder.names == ["library", "photo-proxy.jpg", "photo.png"])
      #expect(try folder.read("photo-proxy.jpg").starts(with: Self.jpeg))
      #expect(try folder.read("photo.png").starts(with: Self.png))
      let (proxy, final) = (
        try taken.output.lines[0].object()["asset"] as? [String: Any],
        try taken.output.lines[1].object()["asset"] as? [String: Any]
      )
      #expect(proxy?["deferral"] as? String == "pending")
      #expect(final?["deferral"] == nil)
      #expect(final?["replaces"] as? String == proxy?["id"] as? String)
    }
  }

  @Test(arguments: [["--burst", "2"], ["--count", "2"], ["--count", "2", "--interval", "100ms"]])
  func `Each of several photos has its proxy and its final files`(options: [String]) async throws {
    try await withNode { node, folder in
      let taken = try await camctl(
        node.control,
        ["capture", "--camera", "right", "--deferred", "--wait", "--format", "png,raw"]
          + options + ["--output", "\(folder.path)/%d.{ext}"])
      #expect(taken.status == 0, "\(taken.errors)")
      #expect(
        try folder.names == [
          "1-proxy.jpg", "1.png", "1.raw", "2-proxy.jpg", "2.png", "2.raw", "library",
        ])
    }
  }

  @Test func `Lists and events tell proxies from final files, and replaced proxies can be deleted`()
    async throws
  {
    try await withNode { node, folder in
      let taken = try await camctl(
        node.control,
        [
          "capture", "--camera", "right", "--deferred", "--wait", "--format", "png", "--output",
          folder.path,
        ])
      #expect(taken.status == 0, "\(taken.errors)")
      let events = try await camctl(
        node.control, ["events", "--history", "--kind", "deferred", "--count", "1"])
      #expect(events.output.contains("is complete: right/"), "\(events.output)")
      let event = try await camctl(
        node.control, ["events", "--history", "--kind", "deferred", "--count", "1", "--json"]
      ).output.object()
      #expect(event["type"] as? String == "deferred")
      #expect(event["step"] as? String == "finished")

      let table = try await camctl(node.control, ["assets"]).output
      #expect(table.contains("proxy, replaced") && table.contains("replaces "), "\(table)")
      let proxies = try await camctl(node.control, ["assets", "--deferral", "done", "--json"])
        .output
      #expect(try proxies.object()["id"] as? String == event["proxy"] as? String)
      for state in ["pending", "failed"] {
        #expect(
          try await camctl(node.control, ["assets", "--deferral", state, "--json"]).output.isEmpty)
      }
      let deleted = try await camctl(node.control, ["delete", "--deferral", "done"])
      #expect(deleted.output.lines.count == 1, "\(deleted.errors)")
      let left = try await camctl(node.control, ["assets", "--json"]).output
      #expect(try left.object()["mediaType"] as? String == "image/png")
    }
  }
}

/// Runs `camctl` with this node.
private func camctl(_ node: String, _ arguments: [String]) async throws -> Program.Outcome {
  try await Program(name: "camctl").run(arguments, environment: ["CAMERABUS_NODE": node])
}
