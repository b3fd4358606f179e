import CameraProtocol
import Capture
import Foundation
import Imaging
import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing
import Words

@testable import CameraNode
@testable import Recording

extension NodeTests {
  struct VideoRecordingTests {
    private struct Probe: Decodable {
      struct Stream: Decodable {
        var codecName: String
        var width, height: Int
      }
      var streams: [Stream]
    }

    private func stream(of path: String) throws -> Probe.Stream {
      let text = try output(of: "ffprobe", ["-v", "error", "-show_streams", "-of", "json", path])
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return try #require(try decoder.decode(Probe.self, from: text).streams.first)
    }

    @Test(
      arguments: ["YUYV", "MJPG", "NV12", "GREY"],
      [WireMovieContainer.mp4, .matroska])
    func `A movie of H.264 plays, and has the frames that its answer says`(
      format: String, container: WireMovieContainer
    ) async throws {
      try await TestNode.run(["cam=synthetic:320x240@60,format=\(format)"]) { test in
        let client = test.client
        try await client.follow()
        let id = try await client.startRecording { ($0.codec, $0.container) = (.h264, container) }
        let recording = try await client.camera { $0.recording.frames >= 20 }.recording
        #expect(recording.codec == .h264 && recording.container == container)
        #expect(recording.encoder == "libx264")
        let result = try await client.stopRecording(id)
        let asset = result.asset
        let path = "\(test.library)/\(asset.path)"
        #expect(asset.mediaType == (container == .mp4 ? "video/mp4" : "video/x-matroska"))
        #expect(path.hasSuffix(container == .mp4 ? ".mp4" : ".mkv"))
        #expect(try packets(in: path) == Int(result.frames) && asset.frames == result.frames)
        #expect(result.isWhole(at: 60))
        let stream = try stream(of: path)
        #expect(stream.codecName == "h264" && stream.width == 320 && stream.height == 240)
        try output(of: "ffmpeg", ["-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
        // Without a movie nothing is coded.
        #expect(try await !client.camera().hasRecording)
      }
    }

    @Test
    func `Two movies of one kind, one after the other, begin with a picture that needs no other`()
      async throws
    {
      try await TestNode.run { test in
        for _ in 0..<2 {
          let id = try await test.client.startRecording { $0.container = .mp4 }
          try await test.client.letRecord(frames: 5)
          let result = try await test.client.stopRecording(id)
          let path = "\(test.library)/\(result.asset.path)"
          try output(of: "ffmpeg", ["-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
          #expect(try packets(in: path) == Int(result.frames))
        }
      }
    }

    @Test func `A video begins and ends with the frames nearest two moments`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let ahead = MonotonicTime.now.nanoseconds + 2_000_000_000
        let id = try await client.startRecording {
          $0.container = .mp4
          ($0.fromMonotonicNs, $0.untilMonotonicNs) = (ahead, ahead + 500_000_000)
        }
        let result = try await client.finishedRecording(id)
        #expect(result.reason == .limitReached)
        let interval: Int64 = 16_666_667
        // A busy machine may lose some, also the first and the last ones.
        let slack = interval * Int64(result.dropped + 15)
        #expect(abs(result.first.timestamp.monotonicNs - ahead) <= slack)
        #expect(abs(result.last.timestamp.monotonicNs - ahead - 500_000_000) <= slack)
        #expect(try packets(in: "\(test.library)/\(result.asset.path)") == Int(result.frames))
      }
    }

    @Test func `A video that was cut off by a kill is completed at the next start`() async throws {
      let folder = try TemporaryFolder()
      let id = RequestID.random()
      try await KilledNode(library: folder.path).record(id: id, mediaType: .mp4) { path in
        let coder = VideoCoder(VideoKind())
        var writer: MovieWriter?
        let layout = try ImageLayout(
          size: ImageSize(width: 160, height: 120), pixelFormat: .grey, range: .full)
        for index in 0..<60 {
          let time = Int64(index) * 40_000_000
          let frame = try Frame.made(
            of: [UInt8](repeating: UInt8(index), count: layout.byteCount), layout,
            at: 1 + time, wallClockOffset: KilledNode.firstFrame)
          let pictures = coder.code(frame, isKey: index % 25 == 0, framesPerSecond: 25).pictures
          for picture in pictures {
            try picture.withBytes { (bytes) throws(RecordingError) in
              let open =
                if let writer { writer } else {
                  try MovieWriter(
                    path: path, size: layout.size, createdAt: KilledNode.firstFrame, title: "cam",
                    framesPerSecond: 25, format: MovieFormat(.mp4, .h264),
                    parameters: AccessUnit(bytes, .h264)?.parameters(of: bytes) ?? [])
                }
              writer = open
              try open.append(
                bytes, at: time,
                stamp: MovieFrameStamp(
                  sequence: UInt64(index), monotonic: time, wall: KilledNode.firstFrame + time),
                isKey: picture.metadata.dependence == .key)
            }
          }
        }
      }
      try await TestNode.run(configure: {
        $0.library = folder.path
        $0.limits.libraryReserve = 0
      }) { test in
        let asset = try #require(try await test.client.assets { $0.requestID = id.data }.first)
        #expect(asset.recovered && asset.mediaType == "video/mp4")
        #expect(asset.frames >= 35 && asset.createdWallNs == KilledNode.firstFrame)
        let path = "\(folder.path)/\(asset.path)"
        #expect(try packets(in: path) == Int(asset.frames))
        try output(of: "ffmpeg", ["-v", "error", "-xerror", "-i", path, "-f", "null", "-"])
      }
    }
  }
}
