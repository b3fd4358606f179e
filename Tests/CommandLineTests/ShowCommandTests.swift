import CameraClient
import CameraNode
import Foundation
import TestSupport
import Testing

/// `camctl show` with a node: the live preview, and photos of the library.
@Suite(.timeLimit(.minutes(5)))
struct ShowCommandTests {
  @Test(arguments: ["sixel", "blocks", "text"])
  func `The live preview draws as many frames as asked for, also into a pipe`(
    form: String
  ) async throws {
    try await withNode { node, _ in
      let outcome = try await camctl(
        node.control, "show", "--camera", "left", "--frames", "3", "--as", form, "--width", "40")
      #expect(outcome.status == 0, "\(outcome.errors)")
      // 40 columns of characters need 40 pixels, and 40 columns of sixels 240.
      let stream = form == "sixel" ? "320x240" : "160x120"
      let line = try Regex("^left \(stream): frame [0-9]+, [0-9.]+/s, latency [0-9.]+ [mu]?s\n$")
      #expect(outcome.errors.contains(line), "\(outcome.errors)")
      let lines = outcome.output.split(separator: "\n")
      switch form {
      case "sixel":
        let pictures = try SixelReader.readAll(outcome.output)
        #expect(pictures.map(\.width) == [240, 240, 240])
        #expect(pictures.map(\.height) == [180, 180, 180])
        // The camera moves something in its picture.
        #expect(pictures[0] != pictures[2])
      case "blocks":
        #expect(lines.count == 3 * 15)
        for number in 0..<3 {
          let text = lines[(15 * number)..<(15 * number + 15)].joined(separator: "\n")
          let picture = try BlockReader.read(text)
          #expect((picture.width, picture.height) == (40, 30))
        }
      default:
        #expect(lines.map(\.count) == Array(repeating: 40, count: 45))
        #expect(!outcome.output.contains("\u{1B}"))
      }
    }
  }

  @Test func `Nothing but the pictures is written with --quiet`() async throws {
    try await withNode { node, _ in
      let outcome = try await camctl(
        node.control, "show", "--camera", "left", "--frames", "1", "--as", "text", "--quiet")
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }
  }

  @Test func `A picture is not enlarged`() async throws {
    try await withNode { node, _ in
      let outcome = try await camctl(
        node.control, "show", "--camera", "left", "--frames", "1", "--as", "sixel")
      #expect(outcome.errors.hasPrefix("left 320x240: frame "), "\(outcome.errors)")
      let picture = try SixelReader.read(outcome.output)
      #expect((picture.width, picture.height) == (320, 240))
    }
  }

  @Test func `Photos are drawn by the beginning of their ids, and the newest one`() async throws {
    try await withNode { node, folder in
      let bus = try CameraBus(node.control)
      let first = try #require(try await bus.camera("right").capture(.next).asset)
      let second = try #require(try await bus.camera("left").capture(.next).asset)
      await bus.close()
      let draw = { @Sendable (arguments: [String]) in
        let outcome = try await Program(name: "camctl").run(
          ["show", "--as", "blocks"] + arguments, environment: ["CAMERABUS_NODE": node.control])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        return outcome.output
      }
      for (asset, options) in [(first, ["--camera", "right"]), (second, [])] {
        let path = "\(folder.path)/\(asset.id).jpg"
        _ = try await camctl(node.control, "download", "\(asset.id)", "--output", path)
        let expected = try await draw([path])
        #expect(try BlockReader.read(expected).width == 80)
        #expect(try await draw(["\(asset.id)".prefix(8).description]) == expected)
        #expect(try await draw(["--latest"] + options) == expected)
      }
    }
  }

  @Test func `A movie, a missing asset and an empty library are told`() async throws {
    try await withNode { node, folder in
      let none = try await camctl(node.control, "show", "--latest", "--as", "text")
      none.expectOneLine(of: "camctl", status: 1, remedy: "the library has no JPEG")
      let bus = try CameraBus(node.control)
      let recording = try await bus.camera("left").startRecording()
      // By then the movie has a frame.
      for _ in 0..<3 {
        _ = try await bus.camera("left").capture(.next, PhotoSettings(isKept: false))
      }
      let movie = try await recording.stop().asset
      await bus.close()
      let refused = try await camctl(node.control, "show", "\(movie.id)", "--as", "text")
      refused.expectOneLine(of: "camctl", status: 1, remedy: "only JPEG photos can be shown")
      // The newest photo is no movie.
      let latest = try await camctl(node.control, "show", "--latest", "--as", "text")
      latest.expectOneLine(of: "camctl", status: 1, remedy: "the library has no JPEG")
      let missing = try await camctl(node.control, "show", "00000000", "--as", "text")
      missing.expectOneLine(of: "camctl", status: 1, remedy: "no asset 00000000")
      let wrong = try await camctl(node.control, "show", "photo", "--as", "text")
      wrong.expectOneLine(of: "camctl", status: 64, remedy: "no file and no asset's id")
    }
  }

  @Test func `A camera that is stopped is told`() async throws {
    try await withNode { node, _ in
      _ = try await camctl(node.control, "session", "stop", "--camera", "left")
      let outcome = try await camctl(node.control, "show", "--camera", "left", "--as", "text")
      outcome.expectOneLine(of: "camctl", status: 1, remedy: "session start --camera left")
    }
  }

  @Test func `An interruption ends the preview with its last line`() async throws {
    try await withNode { node, _ in
      let running = try Program(name: "camctl").start(
        ["show", "--camera", "left", "--as", "text", "--node", node.control])
      try running.waitForOutput()
      running.interrupt()
      let outcome = try await running.outcome()
      #expect(outcome.status == 130)
      #expect(outcome.errors.hasPrefix("left 160x120: frame "), "\(outcome.errors)")
      #expect(outcome.errors.lines.count == 1)
    }
  }

  @Test func `The ids of assets are completed`() async throws {
    try await withNode { node, _ in
      let bus = try CameraBus(node.control)
      let asset = try #require(try await bus.camera("left").capture().asset)
      await bus.close()
      let outcome = try await Program(name: "camctl").run(
        ["---completion", "show", "--", "positional@0", "2", "0", "camctl", "show", ""],
        environment: ["CAMERABUS_NODE": node.control, "SAP_SHELL": "bash"])
      #expect(outcome.output.contains("\(asset.id)"))
    }
  }
}
