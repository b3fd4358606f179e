import Capture
import CaptureFiles
import EventLoop
import Imaging
import OperatingSystem
import TestSupport

/// What a frame loop received from a device.
enum Played: Sendable {
  case picture(FrameMetadata, ImageLayout, [UInt8])
  case lost(Int, FrameLoss)
}

/// Records the pictures in order, for a test to read.
// @unchecked: only the frame loop uses the pool, and the stream is thread-safe.
final class PlayedReceiver: FrameReceiver, @unchecked Sendable {
  /// Unbounded, because the test ends before it grows long.
  let events: AsyncStream<Played>
  private let continuation: AsyncStream<Played>.Continuation
  private let pool: FramePool

  init(_ format: StreamFormat) {
    (events, continuation) = AsyncStream.makeStream()
    pool = FramePool(limit: 4, byteCount: format.maximumByteCount, layout: format.layout)
  }

  func wants(frameOf time: MonotonicTime) -> Bool { true }

  func draft(byteCount: Int) -> FrameDraft? { pool.take() }

  func receive(_ frame: Frame) {
    continuation.yield(.picture(frame.metadata, frame.layout, frame.bytes))
  }

  func lost(_ count: Int, _ reason: FrameLoss) { continuation.yield(.lost(count, reason)) }
  func controlChanged(_ control: ControlID) {}
  func failed(_ error: CaptureError) { continuation.finish() }
}

extension FilesDevice {
  /// Plays on its own frame loop until `isEnough` returns true or the device fails.
  func play(until isEnough: ([Played]) -> Bool) async throws -> [Played] {
    let loop = EventLoop(name: "test frames")
    defer { loop.stop() }
    try open()
    defer { close() }
    let receiver = PlayedReceiver(try configure(specification.request))
    try startStreaming()
    await loop.run { self.attach(to: loop, receiver: receiver) }
    var played: [Played] = []
    for await event in receiver.events {
      played.append(event)
      if isEnough(played) { break }
    }
    await loop.run { self.detach() }
    return played
  }

  /// The next `count` pictures, each with its number.
  func pictures(_ count: Int) async throws -> [(number: UInt64, bytes: [UInt8])] {
    func pictures(_ played: [Played]) -> [(number: UInt64, bytes: [UInt8])] {
      played.compactMap { event in
        guard case .picture(let metadata, _, let bytes) = event else { return nil }
        return (metadata.sequence, bytes)
      }
    }
    return pictures(try await play { pictures($0).count == count })
  }
}
