import CameraProtocol
import EventLoop
import Foundation
import Imaging
import MediaLibrary
import Recording
import SwiftProtobuf
import TestSupport
import Words

/// Prepares the library of a node that was killed while it recorded.
struct KilledNode {
  /// When the first frame of its movies was exposed, nanoseconds since 1970.
  static let firstFrame: Int64 = 1_777_889_472_345_678_901

  let library: String

  /// Begins a movie and calls `write` with the path of its file, which stays unfinished.
  func record(
    _ camera: String = "cam", id: RequestID = .random(), mediaType: MediaType = .matroska,
    write: @escaping @Sendable (String) throws -> Void
  ) async throws {
    let loop = EventLoop(name: "killed")
    defer { loop.stop() }
    let library = try MediaLibrary(folder: library, loop: loop)
    _ = try await library.open()
    let movie = try await library.beginMovie(
      AssetDescription(
        camera: camera, mediaType: mediaType, width: 160, height: 120,
        createdAt: Self.firstFrame - 70_000_000, requestID: id.bytes))
    await library.close()
    try write(movie.path)
  }

  /// Begins a movie of `frames` complete frames and a part of one more.
  func record(_ camera: String = "cam", id: RequestID = .random(), frames: Int) async throws {
    try await record(camera, id: id) { path in
      try Self.movie(frames: frames).write(to: URL(fileURLWithPath: path))
    }
  }

  /// The bytes of a movie of `frames` complete frames and a part of one more.
  static func movie(frames: Int) throws -> Data {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/movie.mkv"
    let size = ImageSize(width: 160, height: 120)
    let picture = try jpeg(size)
    let writer = try MovieWriter(
      path: path, size: size, createdAt: firstFrame, title: "cam", framesPerSecond: 25)
    for index in 0...frames {
      let time = Int64(index) * 40_000_000
      let stamp = MovieFrameStamp(
        sequence: UInt64(index), monotonic: time, wall: firstFrame + time)
      unsafe try writer.append(picture.span.bytes, at: time, stamp: stamp)
    }
    return Data(try folder.read("movie.mkv").dropLast(picture.count / 2))
  }

  private static func jpeg(_ size: ImageSize) throws -> [UInt8] {
    let layout = try ImageLayout(size: size, pixelFormat: .grey, range: .full)
    let pixels = (0..<layout.byteCount).map { UInt8(truncatingIfNeeded: $0 / 7) }
    return try JPEGEncoder().encode(pixels, layout, quality: 80)
  }
}

extension TestClient {
  /// All events about a camera's recordings since the node's start.
  func recordingEvents(of camera: String = "cam") async throws -> [WireRecordEvent] {
    let range = WireReplayRequest.Range.with {
      $0.topic = Topic.event(camera: camera, kind: .recording).name
      $0.first = 1
    }
    let reply = try await ask(.replay(.with { $0.ranges = [range] })).last
    guard case .replay(let replay)? = reply?.wire.body else { throw Unexpected(reply) }
    return try replay.events.map { try WireEvent(serializedBytes: $0.payload).recording }
  }
}
