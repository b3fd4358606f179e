import CameraClient
import CameraNode
import Foundation
import TestSupport
import Testing

/// `camctl record --sound` and `camctl microphones`.
@Suite(.timeLimit(.minutes(5)))
struct SoundCommandTests {
  @Test(arguments: [
    ("movie.mp4", [], "h264\naac\n"), ("movie.mkv", ["--sound-codec", "aac"], "mjpeg\naac\n"),
  ])
  func `A movie has the sound of the named microphone`(
    name: String, options: [String], codecs: String
  ) async throws {
    try await withNode { node, folder in
      let outcome = try await Program(name: "camctl").run(
        [
          "record", "--camera", "left", "--duration", "2s", "--sound=desk", "--output",
          "\(folder.path)/\(name)", "--json",
        ] + options, environment: ["CAMERABUS_NODE": node.control])
      #expect(outcome.status == 0, "\(outcome.errors)")
      struct Report: Decodable { var sound: MovieSound }
      let report = try #require(try outcome.output.lines.last?.decoded(as: Report.self))
      #expect(report.sound.codec == .aac && report.sound.silent == .zero)
      let found = try output(
        of: "ffprobe",
        [
          "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0",
          "\(folder.path)/\(name)",
        ])
      #expect(String(decoding: found, as: UTF8.self) == codecs)
      #expect(try Beeps.onsets(in: Beeps.samples(of: "\(folder.path)/\(name)")).count >= 2)
    }
  }

  @Test func `A silent movie says why, and a required microphone that is taken is one line`()
    async throws
  {
    try await withNode { node, folder in
      let silent = try await camctl(
        node.control, "record", "--camera", "left", "--duration", "1s", "--sound=taken",
        "--output", "\(folder.path)/movie.mkv")
      #expect(silent.status == 0 && silent.output.contains("silent"), "\(silent.output)")
      let events = try await camctl(
        node.control, "events", "--history", "--kind", "sound", "--count", "1")
      #expect(events.output.contains("another program has the synthetic microphone"))
      let refused = try await camctl(
        node.control, "record", "--camera", "left", "--duration", "1s", "--sound=taken",
        "--sound-required")
      refused.expectOneLine(of: "camctl", status: 75, remedy: "inuse=on")
    }
  }

  @Test func `Microphones are listed with their movies`() async throws {
    try await withNode { node, _ in
      let bus = try CameraBus(node.control)
      let recording = try await bus.camera("left").startRecording(
        MovieSettings(sound: SoundSettings(microphone: "desk")))
      while try await bus.microphones().microphones.first?.rate == nil {}
      let table = try await camctl(node.control, "microphones")
      #expect(table.output.contains("desk"))
      struct Report: Decodable { var microphones: [Microphone] }
      let listed = try await camctl(node.control, "microphones", "--json")
      let microphones = try #require(try listed.output.lines.first?.decoded(as: Report.self))
        .microphones
      #expect(microphones.map(\.name) == ["desk", "taken"])
      #expect(microphones.map(\.movies) == [1, 0])
      #expect(microphones.first?.rate == 48_000)
      _ = try await recording.stop()
      await bus.close()
    }
  }
}
