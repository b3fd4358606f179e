import CameraClient
import CameraNode
import Foundation
import Keys
import TestSupport
import Testing
import ZeroMQ

/// `camctl events` and `camctl status` of many nodes, positions, and programs for events.
@Suite(.timeLimit(.minutes(5)))
struct ManyNodesCommandTests {
  private static let nowhere = "tcp://127.0.0.1:1"

  private func camctl(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Program.Outcome {
    try await Program(name: "camctl").run(arguments, environment: environment)
  }

  /// Runs `body` with two nodes, and a file of a rig that calls them `one` and `two`.
  private func withRig(
    _ body:
      @Sendable (_ nodes: [NodeEndpoints], _ rig: String, TemporaryFolder) async throws -> Void
  ) async throws {
    try await withNode { one, _ in
      try await withNode { two, folder in
        let rig = try folder.write(
          """
          nodes:
          - {node: "\(one.control)", name: one}
          - {node: "\(two.control)", name: two, cameras: [left]}
          """, to: "rig.yaml")
        try await body([one, two], rig, folder)
      }
    }
  }

  private func change(
    _ control: String, _ camera: String = "left", times: Int, from first: Int = 0
  ) async throws {
    try await withCameraBus(control) { bus in
      let camera = try bus.camera(camera)
      for number in first..<first + times {
        try await camera.set(
          [("brightness", .integer(Int64(1 + number % 200)))], findsEffect: false)
      }
    }
  }

  private func position(_ control: String) async throws -> String {
    let status = try await camctl(["status", "--json", "--node", control])
    return try #require(try status.output.object()["eventPosition"] as? String)
  }

  @Test func `The status of many nodes names each, and tells of those that cannot be asked`()
    async throws
  {
    try await withRig { nodes, rig, _ in
      let words = try await camctl(["status", "--rig", rig])
      #expect(words.status == 0, "\(words.errors)")
      let lines = words.output.lines
      #expect(lines.first?.hasPrefix("NODE") == true)
      #expect(lines.contains { $0.hasPrefix("NODE") && $0.contains("CAMERA  STATE") })
      #expect(lines.contains { $0.hasPrefix("one   right") })
      // The rig has only one camera of the second node.
      #expect(lines.filter { $0.hasPrefix("two ") }.count == 2)
      let some = [
        "status", "--json", "--check", "--timeout", "1", "--node", nodes[0].control, "--node",
        Self.nowhere,
      ]
      let json = try await camctl(some)
      #expect(json.status == 69)
      let objects = try json.output.lines.map { try $0.object() }
      #expect(objects.count == 2 && objects[0]["name"] as? String == "test")
      #expect(objects[1]["nodeName"] as? String == "127.0.0.1-1")
      let error = try #require(objects[1]["error"] as? [String: Any])
      #expect(error["code"] as? String == "unreachable")
      for camera in ["left", "right"] {
        _ = try await camctl(
          ["capture", "--node", nodes[0].control, "--camera", camera, "--output", "/dev/null"])
        _ = try await camctl(
          ["capture", "--node", nodes[1].control, "--camera", camera, "--output", "/dev/null"])
      }
      #expect(try await camctl(["status", "--check", "--quiet", "--rig", rig]).status == 0)
      _ = try await camctl(
        ["session", "stop", "--node", nodes[1].control, "--camera", "left"])
      #expect(try await camctl(["status", "--check", "--quiet", "--rig", rig]).status == 3)
    }
  }

  @Test func `The status of many nodes is followed`() async throws {
    try await withRig { nodes, rig, _ in
      let running = try Program(name: "camctl").start([
        "status", "--watch", "--json", "--rig", rig,
      ])
      var text = ""
      while !text.contains(#""nodeName":"one""#) || !text.contains(#""nodeName":"two""#) {
        text += try running.waitForOutput()
      }
      text = ""
      _ = try await camctl(
        ["session", "stop", "--node", nodes[1].control, "--camera", "left"])
      while !text.contains("stopped") || text.last != "\n" { text += try running.waitForOutput() }
      let last = try #require(text.lines.last { $0.contains("stopped") }).object()
      #expect(last["nodeName"] as? String == "two")
      running.interrupt()
      #expect(try await running.outcome().status == 130)
    }
  }

  @Test func `All known nodes are meant by --all`() async throws {
    let folder = try TemporaryFolder()
    let environment = ["XDG_CONFIG_HOME": folder.path]
    let none = try await camctl(["status", "--all"], environment: environment)
    none.expectOneLine(of: "camctl", status: 64, remedy: "camctl nodes add reads an invitation")
    try await KeyedNode.run { node in
      let pair = try await node.authorize("guest", .viewer)
      let keys = "\(folder.path)/camerabus"
      try folder.write(
        """
        'desk':
          control: '\(node.endpoints.control)'
          key: '\(node.nodeKey.z85)'
        """, to: "camerabus/nodes.yaml")
      try folder.write(
        "curve\n    public-key = \"\(pair.publicKey.z85)\"\n    secret-key = \"\(pair.secretKey.z85)\"\n",
        to: "camerabus/desk.key_secret")
      for name in ["nodes.yaml", "desk.key_secret"] {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o600], ofItemAtPath: "\(keys)/\(name)")
      }
      let all = try await camctl(["status", "--all", "--json"], environment: environment)
      #expect(all.status == 0, "\(all.errors)")
      #expect(try all.output.object()["nodeName"] as? String == "desk")
      let events = try await camctl(
        ["events", "--all", "--json", "--history", "--count", "1"], environment: environment)
      #expect(events.status == 0 && events.output.contains(#""nodeName":"desk""#))
    }
  }

  @Test func `Events of many nodes are in one order, with the node and the time of this machine`()
    async throws
  {
    try await withRig { nodes, rig, _ in
      for round in 0..<3 {
        for node in nodes { try await change(node.control, times: 1, from: round) }
      }
      let arguments = ["events", "--rig", rig, "--history", "--kind", "control", "--count", "6"]
      let json = try await camctl(arguments + ["--json"])
      #expect(json.status == 0, "\(json.errors)")
      let objects = try json.output.lines.map { try $0.object() }
      #expect(
        objects.map { $0["nodeName"] as? String } == ["one", "two", "one", "two", "one", "two"])
      for object in objects {
        #expect(object["isLate"] as? Bool == false)
        let time = try #require(object["time"] as? [String: Any])
        let estimated = try #require(object["estimated"] as? [String: Any])
        #expect(estimated["errorNanoseconds"] as? Int == 0)
        #expect(
          estimated["monotonicNanoseconds"] as? Int == time["monotonicNanoseconds"] as? Int)
      }
      let right = try await camctl([
        "events", "--rig", rig, "--camera", "right", "--json", "--count", "1", "--history",
      ])
      #expect(
        !right.output.contains(#""camera":"left""#) && !right.output.contains(#""name":"left""#))
      let words = try await camctl(arguments)
      #expect(words.output.lines.count == 6)
      #expect(words.output.lines.allSatisfy { $0.contains(/Z  (one|two)  left  brightness=/) })
    }
  }

  @Test func `A node that is not there is waited for, and the others go on`() async throws {
    try await withNode { node, _ in
      let running = try Program(name: "camctl").start([
        "events", "--timeout", "1", "--node", node.control, "--node", Self.nowhere,
      ])
      var text = ""
      while !text.contains("is waited for") { text += try running.waitForOutput() }
      #expect(text.contains(/127\.0\.0\.1-1 +-- is waited for: no node answers/), "\(text)")
      try await change(node.control, times: 1)
      while !text.contains("brightness=") { text += try running.waitForOutput() }
      running.interrupt()
      #expect(try await running.outcome().status == 130)
    }
  }

  @Test func `Events go on behind a position, of one node and of many`() async throws {
    try await withRig { nodes, rig, _ in
      let (one, two) = (
        try await position(nodes[0].control), try await position(nodes[1].control)
      )
      for node in nodes { try await change(node.control, times: 2) }
      let single = try await camctl([
        "events", "--json", "--node", nodes[0].control, "--after", one, "--count", "2",
      ])
      #expect(single.status == 0, "\(single.errors)")
      let objects = try single.output.lines.map { try $0.object() }
      #expect(objects.map { $0["sequence"] as? Int } == [1, 2])
      // By what the last line said.
      let epoch = try #require(objects[0]["epoch"] as? String)
      let rest = try await camctl([
        "events", "--json", "--node", nodes[0].control, "--kind", "control", "--count", "1",
        "--after", "\(epoch):left/control=1",
      ])
      #expect(try rest.output.object()["sequence"] as? Int == 2)
      let many = try await camctl([
        "events", "--json", "--rig", rig, "--count", "4", "--after", "one=\(one)", "--after",
        "two=\(two)", "--kind", "control",
      ])
      let told = try many.output.lines.map { line in
        let object = try line.object()
        return "\(object["nodeName"] as? String ?? "") \(object["sequence"] as? Int ?? 0)"
      }
      #expect(told == ["one 1", "one 2", "two 1", "two 2"])
      let wrong = try await camctl([
        "events", "--node", nodes[0].control, "--after", "\(epoch):left/control=9",
      ])
      wrong.expectOneLine(of: "camctl", status: 1, remedy: "the node has published 2")
    }
  }

  @Test func `A program gets each event, and what fails is told`() async throws {
    try await withRig { nodes, rig, folder in
      let one = try await position(nodes[0].control)
      try await change(nodes[0].control, times: 3)
      let arguments = [
        "events", "--json", "--node", nodes[0].control, "--after", one, "--count", "3", "--run",
      ]
      let good = try await camctl(arguments + ["cat >> '\(folder.path)/events'"])
      #expect(good.status == 0 && good.errors.isEmpty, "\(good.errors)")
      let written = String(decoding: try folder.read("events"), as: UTF8.self)
      #expect(written.lines.sorted() == good.output.lines.sorted())
      #expect(written.lines.count == 3)
      let bad = try await camctl(arguments + ["echo told; exit 3"])
      #expect(bad.status == 0)
      #expect(
        bad.errors.lines.filter { $0 == "camctl: the program ended with status 3" }.count == 3)
      #expect(bad.errors.lines.filter { $0 == "told" }.count == 3)
      #expect(bad.output.lines.count == 3)
      // How things are at the beginning starts nothing.
      try await change(nodes[1].control, times: 1)
      let many = try await camctl([
        "events", "--rig", rig, "--history", "--kind", "control", "--count", "4", "--json",
        "--run", "cat >> '\(folder.path)/many'",
      ])
      #expect(many.status == 0, "\(many.errors)")
      let objects = try String(decoding: try folder.read("many"), as: UTF8.self).lines.map {
        try $0.object()
      }
      #expect(objects.count == 4 && objects.allSatisfy { $0["nodeName"] != nil })
    }
  }

  @Test func `Events for which there is no room are left out and counted, and Ctrl-C ends all`()
    async throws
  {
    try await withNode { node, folder in
      let position = try await position(node.control)
      try await change(node.control, times: 400)
      let pipe = try folder.makePipe("pipe")
      // The programs wait until somebody reads, which nobody does.
      let arguments = [
        "events", "--json", "--node", node.control, "--after", position, "--run",
        "echo begun >&2; echo > '\(pipe)'",
      ]
      let running = try Program(name: "camctl").start(
        arguments, script: #"exec "$@" > /dev/null"#)
      try running.waitForError("events are left out, because 256 wait for the program")
      running.interrupt()
      let outcome = try await running.outcome()
      #expect(outcome.status == 130)
      // 4 run. The rest waits or is left out, which may not be read to its end.
      let told = outcome.errors.firstMatch(of: /the program did not run for (\d+) events/)
      let count = try #require(told.flatMap { Int($0.1) }, "\(outcome.errors)")
      #expect((257...396).contains(count), "\(outcome.errors)")
    }
  }
}
