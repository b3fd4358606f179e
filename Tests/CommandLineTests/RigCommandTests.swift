import CameraClient
import CameraNode
import TestSupport
import Testing

/// `camctl rig` with nodes of this process.
@Suite(.timeLimit(.minutes(5)))
struct RigCommandTests {
  private static let nowhere = "tcp://127.0.0.1:1"

  private func camctl(_ arguments: String...) async throws -> Program.Outcome {
    try await Program(name: "camctl").run(arguments)
  }

  /// Runs `body` with a node whose cameras are ready, and a file of a rig that calls it `desk`.
  /// - Parameter more: Further lines of the rig.
  private func withRig(
    _ more: String = "",
    _ body: @Sendable (_ node: String, _ rig: String, TemporaryFolder) async throws -> Void
  ) async throws {
    try await withNode { node, folder in
      try await withCameraBus(node.control) { bus in
        for camera in ["left", "right"] { _ = try await bus.camera(camera).capture() }
      }
      let rig = try folder.write(
        "nodes:\n- {node: \"\(node.control)\", name: desk}\n\(more)\n", to: "rig.yaml")
      try await body(node.control, rig, folder)
    }
  }

  // MARK: Clocks

  @Test func `The clocks of all nodes are told, and which node does not answer`() async throws {
    try await withRig("- {node: \"\(Self.nowhere)\", name: gone}") { node, rig, _ in
      let words = try await camctl("rig", "clocks", "--rig", rig)
      #expect(words.status == 75 && words.errors.isEmpty, "\(words.errors)")
      let lines = words.output.lines
      #expect(lines.first?.contains("OFF BY AT MOST  ROUND TRIP  SOURCE") == true)
      #expect(
        lines[1].contains(/^desk +0 s +0 s +[0-9.]+ [mun]*s +this machine's clock +0 s\/s$/),
        "\(lines[1])")
      #expect(
        lines[2].hasPrefix("gone  unreachable") && lines[3].hasPrefix("gone: no node answers"))
      let json = try await camctl("rig", "clocks", "--rig", rig, "--json")
      let objects = try json.output.lines.map { try $0.object() }
      #expect(objects.map { $0["name"] as? String } == ["desk", "gone"])
      #expect(objects[0]["source"] as? String == "sameClock")
      #expect(objects[0]["driftPerSecondNanoseconds"] as? Int == 0)
      #expect(objects[0]["roundTripNanoseconds"] is Int)
      #expect(
        objects[0]["offset"] as? [String: Int] == [
          "leastNanoseconds": 0, "mostNanoseconds": 0,
        ])
      #expect((objects[1]["problem"] as? [String: Any])?["code"] as? String == "unreachable")
      #expect(try await camctl("rig", "clocks", "--node", node).status == 0)
    }
  }

  // MARK: Events

  @Test func `The events of a rig are those of camctl events`() async throws {
    try await withRig { node, rig, _ in
      let arguments = ["events", "--rig", rig, "--history", "--kind", "capture", "--count", "2"]
      let program = Program(name: "camctl")
      let events = try await program.run(arguments + ["--json"])
      let own = try await program.run(["rig"] + arguments + ["--json"])
      #expect(own.status == 0 && own.output.lines.count == 2, "\(own.errors)")
      #expect(own.output == events.output)
      let nameless = try await camctl("rig", "events")
      #expect(nameless.status == 64 && nameless.errors.contains("name the rig's file with --rig"))
      let help = try await camctl("rig", "events", "--help")
      #expect(help.output.contains("--after"))
    }
  }

  // MARK: Status

  @Test func `The status of a rig names what is in the way`() async throws {
    try await withRig { node, rig, folder in
      let ready = try await camctl("rig", "status", "--rig", rig)
      #expect(ready.status == 0)
      #expect(ready.output.lines.last == "all cameras are ready")
      let other = try folder.write(
        "nodes: [{node: \"\(node)\", name: desk, cameras: [left, lost]}]", to: "other.yaml")
      let lost = try await camctl("rig", "status", "--rig", other)
      #expect(lost.status == 75)
      #expect(lost.output.contains("desk  lost    noSuchCamera"))
      #expect(lost.output.contains("\nlost: the node desk has no camera lost now: plug it in\n"))
      #expect(lost.output.lines.last == "in the way: lost")
    }
  }

  @Test func `The status of a rig is shown again at each change`() async throws {
    try await withRig("- {node: \"\(Self.nowhere)\", name: gone}") { node, rig, _ in
      let running = try Program(name: "camctl").start(["rig", "status", "--watch", "--rig", rig])
      var text = ""
      while !text.hasSuffix("in the way: gone\n") || !text.contains("desk  left") {
        text += try running.waitForOutput()
      }
      #expect(text.contains("not at all: it is this machine's clock"))
      text = ""
      _ = try await camctl("session", "stop", "--node", node, "--camera", "left")
      while !text.contains("in the way: left, gone\n") { text += try running.waitForOutput() }
      #expect(text.contains(/desk +left +session not running/))
      running.interrupt()
      #expect(try await running.outcome().status == 130)
      let json = try Program(name: "camctl").start([
        "rig", "status", "--watch", "--json", "--rig", rig,
      ])
      text = ""
      while !text.contains(#""name":"gone""#) || !text.contains(#""name":"desk""#)
        || text.last != "\n"
      { text += try json.waitForOutput() }
      for line in text.lines where line.contains(#""name":"desk""#) {
        #expect(try line.object()["clock"] as? [String: Int] != nil, "\(line)")
      }
      json.interrupt()
      #expect(try await json.outcome().status == 130)
    }
  }

  // MARK: Shots

  @Test func `A shot goes on without a node that is not there in time`() async throws {
    // It takes connections and says nothing, as a machine whose programs hang.
    let mute = try LoopbackSocket()
    try mute.listen()
    try await withRig("- {node: \"\(mute.endpoint)\", name: mute}") { _, rig, folder in
      let shot = try await camctl(
        "rig", "capture", "--rig", rig, "--need", "any", "--timeout", "1h", "--node-timeout", "10s",
        "--output", "\(folder.path)/shot")
      #expect(shot.status == 75 && shot.errors.isEmpty, "\(shot.errors)")
      #expect(shot.output.contains("incomplete: 2 of 3 pictures"), "\(shot.output)")
      // Either the connection or the rig was first to give up.
      let reason = /mute  (a program listens at|the node mute has not answered within)/
      #expect(shot.output.contains(reason), "\(shot.output)")
    }
  }
}
