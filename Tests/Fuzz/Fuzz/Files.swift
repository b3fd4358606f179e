import CameraNode
import Foundation
import OperatingSystem
import TestSupport

@testable import CameraClient
@testable import Imaging
@testable import Recording

extension Fuzzer {
  /// `run` removes it.
  private static let folder = FileManager.default.temporaryDirectory.path

  /// Writes the input to a file of this name and calls `body` with its path.
  private static func file(_ name: String, _ input: RawSpan, _ body: (String) -> Void) {
    let path = "\(folder)/\(name)"
    try? Folder.create(folder)
    guard let file = try? FileDescriptor(path, O_WRONLY | O_CREAT | O_TRUNC),
      (try? file.write(input)) != nil
    else { preconditionFailure("\(path) cannot be written") }
    body(path)
  }

  static let configuration = Fuzzer(
    run: { input in
      file("rig.yaml", input) { path in
        var configuration = NodeConfiguration(name: "fuzz", library: "/library")
        guard let file = try? ConfigurationFile(path: path) else { return }
        let mistakes = file.apply(to: &configuration) + configuration.mistakes()
        for mistake in mistakes {
          precondition(!mistake.message.contains("\n"), "an error has more than a line")
        }
      }
    },
    seeds: {
      [
        "name: a\nlibrary: /b\ncameras:\n  front: v4l2:/dev/video0,1280x720@30,format=MJPG\n",
        "log: debug\nclock_error: 2.5ms\ninsecure: yes\nipc: /run/x\ncameras: {a: auto}\n",
        "control: tcp://127.0.0.1:5570\nevents: ipc:///x\nkeep_trying: true\ngroup: video\n",
      ].map { Array($0.utf8) }
    })

  /// What cameras deliver, and what is encoded again.
  static let jpeg = Fuzzer(
    run: { input in
      _ = JPEGIntegrity.check(input)
      _ = try? JPEGFactsInsertion(into: input, PhotoFacts())
      _ = JPEGFactSegments.removed(from: input)
      // Decoding a large picture is slow and shows nothing new.
      guard let header = try? JPEGHeader(input), header.size.width <= 64,
        header.size.height <= 64
      else { return }
      _ = unsafe try? decoder?.decodeRGB(input)
      _ = unsafe try? decoder?.decodeRGB(input, atLeast: ImageSize(width: 8, height: 8))
      for orientation in Imaging.Orientation.allCases { turn(input, orientation, header.size) }
    },
    seeds: {
      try [ImageSize(width: 16, height: 16), ImageSize(width: 40, height: 24)].map(picture)
    })

  nonisolated(unsafe) private static let decoder = try? JPEGDecoder()

  nonisolated(unsafe) private static let turner = try? JPEGTurner()

  private static func turn(_ input: RawSpan, _ orientation: Imaging.Orientation, _ size: ImageSize)
  {
    var output = [UInt8](
      repeating: 0, count: JPEGEncoder.maximumByteCount(for: orientation.turned(size)))
    var span = output.mutableSpan
    var bytes = unsafe span.mutableBytes
    _ = unsafe try? turner?.turn(input, orientation, into: &bytes)
  }

  private static func picture(_ size: ImageSize) throws -> [UInt8] {
    let layout = try ImageLayout(size: size, pixelFormat: .yuyv, range: .full)
    let pixels = (0..<layout.byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    return try JPEGEncoder().encode(pixels, layout, quality: 80)
  }

  /// A movie that was cut off, and one that a client reads.
  static let movie = Fuzzer(
    run: { input in
      file("movie.mkv", input) { path in
        if var reader = try? CameraClient.MovieReader.open(path) {
          while (try? reader.nextFrames()) != nil {}
        }
        _ = try? UnfinishedMovie(path: path, minimumFreeBytes: 0).finish()
        precondition(!FileStatus.exists(path + ".part"), "a copy is left")
      }
    },
    seeds: {
      let path = "\(folder)/seed.mkv"
      try Folder.create(folder)
      let size = ImageSize(width: 16, height: 16)
      let writer = try MovieWriter(
        path: path, size: size, createdAt: 1_777_889_472_345_678_901, title: "cam",
        framesPerSecond: 25)
      let frame = try picture(size)
      for index in 0..<3 {
        let time = Int64(index) * 40_000_000
        let stamp = MovieFrameStamp(sequence: UInt64(index), monotonic: time, wall: time)
        unsafe try writer.append(frame.span.bytes, at: time, stamp: stamp)
      }
      let cut = try [UInt8](Data(contentsOf: URL(filePath: path)))
      try writer.finish()
      return [cut, try [UInt8](Data(contentsOf: URL(filePath: path)))]
    })
}
