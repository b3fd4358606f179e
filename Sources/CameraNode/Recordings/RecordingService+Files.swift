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
  /// The files with frames, and the frames of those that the library could not take.
  var files = 0
  var lostFrames = 0
  var last: Result<Asset?, CaptureError> = .success(nil)
  /// The last asset.
  var asset: Asset?

  mutating func add(_ stored: Result<Asset?, CaptureError>, _ file: MovieSummary) {
    last = stored
    if file.frames > 0 { files += 1 }
    guard case .success(let asset?) = stored else {
      lostFrames += file.frames
      return
    }
    self.asset = asset
    assets += 1
  }
}

extension RecordingService {
  /// Stores the files of a recording as they are closed, and tells what happens to it, until it has
  /// ended.
  func follow(
    _ steps: AsyncStream<RecordingStep>, _ files: RecordingFiles, _ description: AssetDescription,
    _ recorder: MovieRecorder, _ sound: SoundFeed?, of camera: Camera, _ call: Call
  ) async {
    let plan = recorder.plan
    var left = RecordingLeftovers()
    for await step in steps {
      switch step {
      case .needsFile:
        if plan.cut != .never, !files.hasReady {
          recorder.placeChanged(await makeFile(description, plan.cut, files))
        }
      case .news(.began(let frame)): publishBeginning(call.id, frame, of: camera)
      case .news(.progress):
        publish(call.id, of: camera) { .progress($0) }
      case .news(.file(let path, let summary)):
        guard let file = files.close(path) else { continue }
        left.add(await store(file, summary), summary)
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

  /// - Returns: Why there is none.
  private func makeFile(
    _ description: AssetDescription, _ cut: MovieCut, _ files: RecordingFiles
  ) async -> RecordingError? {
    var description = description
    let now = MonotonicTime.now.nanoseconds + WallClockSample.now().offset
    // It is named by when it is to begin.
    description.createdAt = cut.nextBeginning(after: now)
    do {
      files.add(try await library.beginMovie(description))
      return nil
    } catch {
      let message = WireError(error).message
      // The file that is under way goes on, and the next one is tried again with its next cut.
      log.log(
        .error, "camera \(description.camera)",
        "the next file of a recording cannot be made: \(message)")
      return RecordingError(.storageFailed, message)
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
    result.frames -= min(result.frames, UInt64(left.lostFrames))
    return .success(result)
  }

  private func publish(
    _ left: RecordingLeftovers, _ summary: MovieSummary, recording id: RequestID, of camera: Camera
  ) {
    let segment = WireRecordSegment.with {
      $0.number = UInt32(clamping: left.files)
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
