import CameraClient
import CameraNode
import TestSupport
import Testing

/// `camctl events` and `camctl status --check`.
@Suite(.timeLimit(.minutes(5)))
struct EventsCommandTests {
  @Test func `The check of a status has an exit status for scripts`() async throws {
    try await withNode { node, _ in
      // Both cameras have frames.
      for camera in ["left", "right"] {
        _ = try await camctl(
          node.control, "capture", "--camera", camera, "--output", "/dev/null")
      }
      let good = try await camctl(node.control, "status", "--check", "--quiet")
      #expect(good.status == 0 && good.output.isEmpty && good.errors.isEmpty)
      _ = try await camctl(node.control, "session", "stop", "--camera", "right")
      let bad = try await camctl(node.control, "status", "--check")
      #expect(bad.status == 3 && bad.output.contains("stopped"))
      let other = try await camctl(node.control, "status", "--check", "--camera", "left", "--json")
      #expect(other.status == 0)
      #expect(try other.output.object()["name"] as? String == "test")
    }
    let none = try await camctl("tcp://127.0.0.1:1", "status", "--check")
    #expect(none.status == 69)
  }

  @Test func `Events of the past come in the order of their times, and name the node`() async throws
  {
    try await withNode { node, _ in
      for camera in ["left", "right", "left"] {
        _ = try await camctl(
          node.control, "capture", "--camera", camera, "--output", "/dev/null", "--when", "next")
      }
      let words = try await camctl(
        node.control, "events", "--history", "--kind", "capture", "--kind", "state", "--count",
        "14")
      #expect(words.status == 0, "\(words.errors)")
      let times = words.output.lines.filter { !$0.contains("--") }.map { $0.prefix(24) }
      #expect(times.count == 14 && times == times.sorted(), "\(words.output)")
      let running = try Program(name: "camctl").start(
        ["events"], environment: ["CAMERABUS_NODE": node.control])
      #expect(try running.waitForOutput().contains("node test  has 2 cameras"))
      running.interrupt()
      #expect(try await running.outcome().status == 130)
    }
  }

  @Test func `A history that is not whole says from which number on it is`() async throws {
    try await withNode { node, _ in
      try await withCameraBus(node.control) { bus in
        let camera = try bus.camera("right")
        // The node keeps 1024 events of each kind and camera.
        for number in 0..<1100 {
          try await camera.set(
            [("brightness", .integer(Int64(number % 2)))], findsEffect: false)
        }
      }
      let arguments = ["events", "--history", "--kind", "control", "--count", "3"]
      let environment = ["CAMERABUS_NODE": node.control]
      let words = try await Program(name: "camctl").run(arguments, environment: environment)
      let first = try #require(words.output.lines.first)
      #expect(first.contains("control events of right are whole from number "), "\(first)")
      #expect(words.output.lines.count == 4)
      let json = try await Program(name: "camctl").run(
        arguments + ["--json"], environment: environment)
      let objects = try json.output.lines.map { try $0.object() }
      #expect(objects[0]["type"] as? String == "history")
      #expect(objects[0]["sequence"] as? Int == objects[1]["sequence"] as? Int)
    }
  }

  @Test func `A node that is gone is told with the time`() async throws {
    let folder = try TemporaryFolder()
    let node = try Program(name: "camerad").start([
      "--camera", "cam=synthetic:320x240@10", "--library", "\(folder.path)/library",
      "--control", "ipc://\(folder.path)/control", "--events", "ipc://\(folder.path)/events",
      "--frames", "ipc://\(folder.path)/frames",
    ])
    try node.waitForOutput()
    let events = try Program(name: "camctl").start([
      "events", "--json", "--node", "ipc://\(folder.path)/control",
    ])
    try events.waitForOutput()
    node.interrupt()
    #expect(try await node.outcome().status == 0)
    var text = ""
    while !text.contains("disconnected") { text += try events.waitForOutput() }
    let line = try #require(text.lines.last { $0.contains("disconnected") })
    #expect(line.contains("noticedWallNanoseconds"))
    events.interrupt()
    #expect(try await events.outcome().status == 130)
  }
}
