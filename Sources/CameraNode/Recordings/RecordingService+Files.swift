import CameraProtocol
import Capture
import Imaging
import Logging
import MediaLibrary
import OperatingSystem
import Recording
import SwiftProtobuf

/// What happens to a recording, in its order.
enum RecordingStep: Sendable {
  case news(MovieNews)
  /// It has begun a file, or waits for one.
  case needsFile
}

/// What a recording has left in the library so far.
struct RecordingLeftovers {
  var assets = 0
  var last: Result<Asset?, CaptureError> = .success(nil)
  /// The last asset.
  var asset: Asset?

  mutating func add(_ stored: Result<Asset?, CaptureError>) {
    last = stored
    guard case .success(let asset?) = stored else { return }
    self.asset = asset
    assets += 1
  }
}

extension RecordingService {
  /// Stores the files of a recording as they are closed, and tells what happens to it, until it has
  /// ended.
  func follow(
    _ steps: AsyncStream<RecordingStep>, _ files: RecordingFiles, _ description: AssetDescription,
    _ plan: MoviePlan, _ sound: SoundFeed?, of camera: Camera, _ call: Call
  ) async {
    var left = RecordingLeftovers()
    for await step in steps {
      switch step {
      case .needsFile:
        if plan.cut != .never, !files.hasReady { await makeFile(description, files, call) }
      case .news(.began(let frame)): publishBeginning(call.id, frame, of: camera)
      case .news(.progress):
        publish(call.id, of: camera) { .progress($0) }
      case .news(.file(let path, let summary)):
        guard let file = files.close(path) else { continue }
        left.add(await store(file, summary))
        if plan.cut != .never, summary.frames > 0 {
          publish(left, summary, recording: call.id, of: camera)
        }
      case .news(.ended(let summary)):
        for file in files.closeAll() {
          let stored = await store(file, MovieSummary(nothingOf: summary))
          if plan.cut == .never { left.last = stored }
        }
        let drift = sound?.microphone.status.drift
        ended(outcome(summary, left, plan, call.id, soundDrift: drift), of: camera, call)
      }
    }
  }

  private func makeFile(
    _ description: AssetDescription, _ files: RecordingFiles, _ call: Call
  ) async {
    var description = description
    description.createdAt = MonotonicTime.now.nanoseconds + WallClockSample.now().offset
    do {
      files.add(try await library.beginMovie(description))
    } catch {
      // The file that is under way goes on, and the next one is tried again with its next cut.
      log.log(
        .error, "camera \(description.camera)",
        "the next file of a recording cannot be made: \(WireError(error).message)")
    }
  }

  private func outcome(
    _ summary: MovieSummary, _ left: RecordingLeftovers, _ plan: MoviePlan, _ id: RequestID,
    soundDrift: Double?
  ) -> Result<WireRecordResult, CaptureError> {
    if plan.cut == .never {
      return WireRecordResult.outcome(
        summary, left.last, recording: id, soundDrift: soundDrift)
    }
    var isEmpty = left.asset == nil
    // A recording in clips may have had no trigger.
    if case .clips = plan.cut, case .success = left.last, summary.error == nil { isEmpty = false }
    if isEmpty {
      return WireRecordResult.outcome(
        summary, left.last, recording: id, soundDrift: soundDrift)
    }
    var result = WireRecordResult(summary, left.asset, recording: id, soundDrift: soundDrift)
    result.segments = UInt32(clamping: left.assets)
    return .success(result)
  }

  private func publish(
    _ left: RecordingLeftovers, _ summary: MovieSummary, recording id: RequestID, of camera: Camera
  ) {
    let segment = WireRecordSegment.with {
      $0.number = UInt32(clamping: left.assets)
      $0.frames = UInt64(summary.frames)
      $0.dropped = UInt64(summary.dropped)
      $0.reason = WireRecordResult.EndReason(summary.reason)
      switch left.last {
      case .success(let asset): if let asset { $0.asset = WireAsset(asset) }
      case .failure(let error): $0.error = WireError(error)
      }
      if let first = summary.first { $0.first = WireMovieFrameTime(first) }
      if let last = summary.last { $0.last = WireMovieFrameTime(last) }
    }
    events.publish(recording: id, .segment(segment), ofCamera: camera.name)
  }
}

extension MovieSummary {
  /// Of a file of the recording that got no frame.
  fileprivate init(nothingOf whole: MovieSummary) {
    self = whole
    (frames, byteCount, first, last) = (0, 0, nil, nil)
  }
}
