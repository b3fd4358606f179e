import CameraProtocol
import SwiftProtobuf

extension TestClient {
  /// Starts a recording and waits until it runs.
  func startRecording(
    _ edit: (inout WireRecordStartRequest) -> Void = { _ in }
  ) async throws -> RequestID {
    let id = RequestID.random()
    let reply = try await ask(.recordStart(.with { edit(&$0) }), id: id).last
    guard case .recordStarted(let started)? = reply?.wire.body, started.recording == id.data else {
      throw Unexpected(reply)
    }
    return id
  }

  /// - Parameter moment: When, in nanoseconds of the monotonic clock; 0 for at once.
  func stopRecording(
    _ recording: RequestID? = nil, at moment: Int64 = 0
  ) async throws -> WireRecordResult {
    let body = WireRecordStopRequest.with {
      $0.recording = recording?.data ?? $0.recording
      $0.atMonotonicNs = moment
    }
    let reply = try await ask(.recordStop(body)).last
    guard case .record(let result)? = reply?.wire.body else { throw Unexpected(reply) }
    return result
  }

  /// Waits for the event that finishes a recording. Call `follow` first.
  func finishedRecording(_ id: RequestID) async throws -> WireRecordResult {
    try await event { event in
      guard case .recording(let recording)? = event.body, recording.requestID == id.data,
        case .finished(let result)? = recording.body
      else { return nil }
      return result
    }
  }

  /// Waits for the event that ends a recording with an error. Call `follow` first.
  func failedRecording(_ id: RequestID) async throws -> WireError {
    try await event { event in
      guard case .recording(let recording)? = event.body, recording.requestID == id.data,
        case .failed(let error)? = recording.body
      else { return nil }
      return error
    }
  }

  /// Waits until the movie has `frames` frames.
  func letRecord(frames: Int) async throws {
    _ = try await camera { $0.recording.frames >= UInt64(frames) }
  }

  /// Records a movie of at least `frames` frames.
  func movie(frames: Int, quality: UInt32 = 80) async throws -> WireRecordResult {
    _ = try await startRecording { $0.quality = quality }
    try await letRecord(frames: frames)
    return try await stopRecording()
  }
}

extension WireRecordResult {
  /// Whether the movie's frames and those that are missing from it fill its time.
  func isWhole(at framesPerSecond: Double) -> Bool {
    let time = Double(asset.durationNs) / 1e9 * framesPerSecond
    return abs(Double(frames + dropped) - time) <= 1.5
  }
}
