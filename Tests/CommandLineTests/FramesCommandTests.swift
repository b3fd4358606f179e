import CameraClient
import CameraNode
import TestSupport
import Testing

/// `camctl frames` with movies of a node.
@Suite(.timeLimit(.minutes(5)))
struct FramesCommandTests {
  private static let sound = SoundSettings(microphone: "desk")

  @Test(arguments: [
    MovieSettings(), .h264, MovieSettings(codec: .h264, container: .matroska),
    MovieSettings(sound: sound), MovieSettings(codec: .h264, sound: sound),
  ])
  func `The frames of a movie have the numbers and times of the bus`(
    settings: MovieSettings
  ) async throws {
    try await withNode { node, folder in
      let bus = try CameraBus(node.control)
      let camera = try bus.camera("left")
      var seen: [UInt64: Timestamp] = [:]
      var preview = camera.frames(.full).makeAsyncIterator()
      _ = try await preview.next()
      let recording = try await camera.startRecording(settings)
      for _ in 0..<10 {
        let frame = try #require(try await preview.next())
        seen[frame.sequence] = frame.timestamp
      }
      let movie = try await recording.stop()
      #expect((movie.sound == nil) == (settings.sound == nil))
      let path = "\(folder.path)/movie.mkv"
      try await bus.download(movie.asset, to: path)
      await bus.close()
      let outcome = try await Program(name: "camctl").run(["frames", path, "--json"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let frames = try outcome.output.lines.map { try $0.decoded(as: MovieFrame.self) }
      #expect(frames.count == Int(movie.frames))
      #expect(frames.first?.wall == movie.asset.created)
      let first = try #require(frames.first)
      for frame in frames {
        let time = frame.monotonic - first.monotonic
        #expect(abs((frame.playTime - time) / .milliseconds(1)) <= 1)
      }
      let both = frames.filter { seen[$0.sequence] != nil }
      #expect(both.count > 3)
      for frame in both {
        #expect(seen[frame.sequence]?.monotonic == frame.monotonic)
        #expect(seen[frame.sequence]?.wall == frame.wall)
      }
      let table = try await Program(name: "camctl").run(["frames", path])
      #expect(table.output.lines.count == frames.count + 1)
      #expect(table.output.hasPrefix("FRAME"))
    }
  }
}
