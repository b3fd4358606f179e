import CameraClient
import CameraNode
import Foundation
import TestSupport
import Testing

/// `camctl` with a node, used as people and scripts use it.
@Suite(.timeLimit(.minutes(5)))
struct CamctlTests {
  @Test func `The status is words for people and an object for programs`() async throws {
    try await withNode { node, _ in
      let words = try await camctl(node.control, "status")
      #expect(words.status == 0)
      #expect(words.output.contains("left") && words.output.contains("320x240 MJPG"))
      #expect(words.output.contains("nothing is encoded"))
      let status = try await camctl(node.control, "status", "--json").output
        .decoded(as: NodeStatus.self)
      #expect(status.cameras.map(\.name) == ["left", "right"])
      #expect(status.eventsEndpoint == node.events)
      // Whether the bound is known depends on the machine. No clock is exact.
      let bound = status.now.wallError == nil ? "error unknown" : "off by at most "
      #expect(words.output.contains(try Regex("wall clock [0-9TZ:.-]+, \(bound)")))
    }
  }

  @Test func `The status of a camera in trouble has its duration, the attempts and the next one`()
    async throws
  {
    try await withNode { node, _ in
      let bus = try CameraBus(node.control)
      let events = try bus.camera("left").events()
      _ = try await camctl(node.control, "controls", "set", "--camera", "left", "disconnect=true")
      for try await case .event(let event) in events {
        if case .state(let status) = event.body, status.attempts > 1 { break }
      }
      await bus.close()
      let outcome = try await camctl(node.control, "status")
      let trouble = outcome.output.lines.filter { $0.hasPrefix("left: ") }
      try #require(trouble.count == 2)
      let (cause, remedy) = (trouble[0], trouble[1])
      #expect(cause.contains(try Regex(#"interrupted \(device disconnected\) for [0-9.]+ m?s: "#)))
      #expect(cause.contains("is unplugged: set its control 'disconnect' to 0"))
      #expect(
        remedy.contains(try Regex("tried [0-9]+ times, last [0-9.]+ m?s ago: failed to open ")))
      #expect(remedy.contains(try Regex(#"; tries again (now|in [0-9.]+ m?s)$"#)))
      let snapshot = try await camctl(
        node.control, "events", "--camera", "left", "--count", "1")
      #expect(snapshot.output.contains("is interrupted (device disconnected) for "))
      #expect(snapshot.output.contains("failed to open "))
      let status = try await camctl(node.control, "status", "--camera", "left", "--json").output
        .decoded(as: NodeStatus.self)
      #expect(status.cameras.first?.lastAttempt?.hasPrefix("failed to open ") == true)
      #expect(status.cameras.first?.nextAttemptTime != nil)
    }
  }

  @Test func `Photos go where --output says`() async throws {
    try await withNode { node, folder in
      let path = folder.path
      let taken = try await camctl(
        node.control, "capture", "--camera", "left", "--when", "next", "--json", "--output",
        "\(path)/one.jpg")
      let report = try taken.output.object()
      let photo = try #require(FileManager.default.contents(atPath: "\(path)/one.jpg"))
      #expect(photo.starts(with: [0xff, 0xd8]))
      #expect(report["byteCount"] as? Int == photo.count)
      #expect(report["file"] as? String == "\(path)/one.jpg")
      #expect((report["resolved"] as? [String: Any])?["isPassthrough"] as? Bool == true)

      let series = try await camctl(
        node.control, "capture", "--camera", "right", "--count", "2", "--output",
        "\(path)/p%02d.jpg")
      #expect(series.output.lines.count == 2)
      for name in ["p01.jpg", "p02.jpg"] {
        #expect(FileManager.default.fileExists(atPath: "\(path)/\(name)"))
      }

      let inFolder = try await camctl(
        node.control, "capture", "--camera", "right", "--output", path)
      #expect(inFolder.output.hasPrefix("\(path)/right-"))
      let file = try #require(inFolder.output.prefixMatch(of: #/(.*?): .*?([0-9.]+) KiB, frame /#))
      let bytes = try #require(FileManager.default.contents(atPath: String(file.1))?.count)
      // A quarter of a KiB is exactly between two tenths, and tenths are not exact.
      #expect(abs(try #require(Double(file.2)) - Double(bytes) / 1024) <= 0.05 + 1e-9)

      let stream = try await camctl(
        node.control, "capture", "--camera", "right", "--output", "-", "--transient")
      #expect(stream.status == 0)
      #expect(stream.output.contains("JFIF"))
    }
  }

  @Test func `Each line of events is an object that says its type`() async throws {
    try await withNode { node, folder in
      let events = try Program(name: "camctl").start(
        [
          "events", "--camera", "left", "--json", "--count", "4", "--kind", "capture", "--kind",
          "state",
        ],
        environment: ["CAMERABUS_NODE": node.control])
      let bus = try CameraBus(node.control)
      let outcome = try await withThrowingTaskGroup { group in
        group.addTask { try await events.outcome() }
        // The program may start too late for the first photos, so take more until it has enough.
        group.addTask {
          while true {
            _ = try await bus.camera("left").capture(.now, PhotoSettings(isKept: false))
          }
        }
        defer { group.cancelAll() }
        return try #require(await group.next())
      }
      await bus.close()
      let types = try outcome.output.lines.map { try $0.object()["type"] as? String }
      // The snapshot is not counted.
      #expect(types.count == 5)
      #expect(types.first == "snapshot")
      #expect(
        types.dropFirst().allSatisfy { ["capture", "state", "snapshot", "gap"].contains($0) })
    }
  }

  @Test func `Watching measures rate, latency and losses`() async throws {
    try await withNode { node, _ in
      let report = try await camctl(
        node.control, "watch", "--camera", "right", "--count", "15", "--json"
      ).output.object()
      #expect(report["frames"] as? Int == 15)
      let latency = try #require(report["latency"] as? [String: [String: Int]])
      #expect(
        Set(latency.keys).isSuperset(of: ["capture", "copy", "encode", "transport", "total"]))
      let total = try #require(latency["total"])
      #expect((total["p50Nanoseconds"] ?? 0) > 0)
      #expect((total["p50Nanoseconds"] ?? 0) <= (total["p99Nanoseconds"] ?? 0))
      let losses = try #require(report["losses"] as? [String: Any])
      #expect(
        Set(losses.keys) == [
          "lostByCamera", "droppedByNode", "notPublished", "lostOnBus", "droppedByClient",
          "omissions",
        ])
    }
  }

  @Test func `A movie of the given length is recorded and downloaded`() async throws {
    try await withNode { node, folder in
      let path = "\(folder.path)/movie.mkv"
      let outcome = try await camctl(
        node.control, "record", "--camera", "left", "--duration", "0.5", "--output", path, "--json")
      let movie = try outcome.output.object()
      #expect(movie["reason"] as? String == "limitReached")
      #expect(movie["file"] as? String == path)
      let bytes = try #require(FileManager.default.contents(atPath: path))
      // The first bytes of every Matroska file (EBML).
      #expect(bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]))
      #expect((movie["asset"] as? [String: Any])?["byteCount"] as? Int == bytes.count)
    }
  }

  @Test func `Ctrl-C ends a movie, and it is downloaded`() async throws {
    try await withNode { node, folder in
      let path = "\(folder.path)/movie.mkv"
      let bus = try CameraBus(node.control)
      let events = try bus.camera("left").events()
      let program = try Program(name: "camctl").start(
        ["record", "--camera", "left", "--duration", "1h", "--output", path],
        environment: ["CAMERABUS_NODE": node.control])
      async let outcome = program.outcome()
      for try await case .event(let event) in events {
        if case .recording(_, .started) = event.body { break }
      }
      // Frames from now on are in the movie.
      var frames = try bus.camera("left").frames(.full).makeAsyncIterator()
      for _ in 0..<3 { _ = try await frames.next() }
      program.interrupt()
      let words = try await outcome
      await bus.close()
      #expect(words.status == 130, "\(words.errors)")
      #expect(words.output.contains("ended: stopped"))
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `Controls are set by the names of their items`() async throws {
    try await withNode { node, _ in
      let set = try await camctl(
        node.control, "controls", "set", "--camera", "left", "brightness=200",
        "test_pattern=Grey Ramp")
      #expect(set.output.lines == ["brightness=200", "test_pattern=Grey Ramp"])
      let get = try await camctl(
        node.control, "controls", "get", "--camera", "left", "--json", "brightness")
      #expect(try get.output.object()["value"] as? Int == 200)
      let list = try await camctl(node.control, "controls", "--camera", "left")
      #expect(list.output.contains("0...255"))
    }
  }

  @Test func `A session is stopped, and started in another format`() async throws {
    try await withNode { node, _ in
      let stopped = try await camctl(node.control, "session", "stop", "--camera", "left", "--json")
      #expect(try stopped.output.decoded(as: CameraStatus.self).state == .stopped)
      let started = try await camctl(
        node.control, "session", "start", "--camera", "left", "--format", "640x480@15", "--json")
      let status = try started.output.decoded(as: CameraStatus.self)
      #expect(status.format?.size == FrameSize(width: 640, height: 480))
    }
  }

  @Test func `Assets are listed, and downloaded by their ids`() async throws {
    try await withNode { node, folder in
      let path = folder.path
      _ = try await camctl(
        node.control, "capture", "--camera", "left", "--output", "\(path)/photo.jpg")
      let list = try await camctl(node.control, "assets", "--json")
      let asset = try #require(list.output.lines.first).decoded(as: Asset.self)
      let fetched = try await camctl(
        node.control, "download", "\(asset.id)", "--output", "\(path)/copy.jpg")
      #expect(fetched.status == 0, "\(fetched.errors)")
      #expect(
        FileManager.default.contents(atPath: "\(path)/copy.jpg")
          == FileManager.default.contents(atPath: "\(path)/photo.jpg"))
      let wrong = try await camctl(
        node.control, "download", "\(asset.id)", "--output", "\(path)/copy.png")
      wrong.expectOneLine(of: "camctl", status: 64, remedy: "name it copy.jpg")
      #expect(!FileManager.default.fileExists(atPath: "\(path)/copy.png"))
    }
  }

  @Test func `A reader that closes the pipe ends the program silently`() async throws {
    try await withNode { node, _ in
      let program = try Program(name: "camctl").start(
        ["watch", "--camera", "left", "--json", "--frames"],
        environment: ["CAMERABUS_NODE": node.control])
      program.closeOutputAfterSome()
      #expect(try await program.outcome().errors.isEmpty)
    }
  }

  @Test func `The fields of --json are explained`() async throws {
    let outcome = try await Program(name: "camctl").run(["help", "json"])
    #expect(outcome.status == 0)
    // Every code that an error may have.
    let sources = [
      "CameraClient/Errors/CameraBusError", "camctl/CommandFailure",
      "camctl/Controls/SavedControls", "camctl/Output/StandardOutput",
    ]
    let pattern = /(?:Self\(rawValue|code): "([a-zA-Z]+)"/
    for source in sources {
      let text = String(
        decoding: try Repository.contents(of: "Sources/\(source).swift"), as: UTF8.self)
      for code in text.matches(of: pattern).map({ String($0.1) }) where code != "help" {
        #expect(outcome.output.contains(try Regex("\\b\(code)\\b")), "\(code)")
      }
    }
    let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for text in [
      "offsetNanoseconds", "p99Nanoseconds", "isRetryable", "lostOnBus", "assetDamaged, forbidden",
      "lease{holder since termNanoseconds expiresMonotonicNanoseconds}",
      "loops[{name longestTurnNanoseconds}]", "deferral (pending, done, failed)",
      "settings[{id value}] evidence (metadata, picture, unchanged)}",
    ] {
      #expect(words.contains(text), "\(text)")
    }
  }
}
