import CameraClient
import CameraNode
import TestSupport
import Testing

/// The stream of H.264 as the client library gives it.
@Suite(.timeLimit(.minutes(5)))
struct VideoStreamTests {
  @Test func `A reader gets every picture from a key picture on, also when it falls behind`()
    async throws
  {
    try await withNode { node, folder in
      let bus = try CameraBus(node.control)
      let camera = try bus.camera("left")
      let sequence = camera.frames(.h264)
      var reader = sequence.makeAsyncIterator()
      var frames = [try #require(try await reader.next())]
      #expect(frames[0].isKeyPicture && frames[0].pixelFormat == "H264")
      // Many more than wait for a reader.
      var preview = camera.frames(.preview).makeAsyncIterator()
      for _ in 0..<200 { _ = try await preview.next() }
      while frames.count < 100 { frames.append(try #require(try await reader.next())) }
      #expect(sequence.losses.droppedByClient > 0)
      // Where pictures were dropped it goes on with a key picture.
      let largest = frames.indices.dropFirst().max {
        frames[$0].sequence - frames[$0 - 1].sequence
          < frames[$1].sequence - frames[$1 - 1].sequence
      }
      #expect(frames[try #require(largest)].isKeyPicture)
      try folder.write(frames.flatMap(\.bytes), to: "stream.h264")
      let counted = try output(
        of: "ffprobe",
        [
          "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of",
          "csv=p=0",
          folder.path + "/stream.h264",
        ])
      #expect(String(decoding: counted, as: UTF8.self).hasPrefix("100"))
      await bus.close()
    }
  }

  @Test func `camctl configures the stream, and watch measures it`() async throws {
    try await withNode { node, _ in
      let configured = try await Program(name: "camctl").run([
        "configure", "--camera", "left", "--stream",
        "h264=bit-rate:500k,key-interval:500ms,size:160x160,rate:10", "--node", node.control,
      ])
      #expect(configured.status == 0, "\(configured.errors)")
      let watched = try await Program(name: "camctl").run([
        "watch", "--camera", "left", "--stream", "h264", "--count", "10", "--json", "--node",
        node.control,
      ])
      #expect(watched.status == 0, "\(watched.errors)")
      let bus = try CameraBus(node.control)
      let settings = try await bus.camera("left").status().configuration.streams.first
      #expect(
        settings
          == StreamSettings(
            .h264, maximumRate: 10, bitRate: 500_000, keyInterval: .milliseconds(500),
            bound: FrameSize(width: 160, height: 160)))
      await bus.close()
    }
  }
}
