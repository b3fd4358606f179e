import CameraProtocol
import Capture
import Digest
import FoundationEssentials
import MediaLibrary
import OperatingSystem
import Recording
import SwiftProtobuf

extension WireRecordResult {
  /// The result of a recording that has ended.
  /// - Parameter stored: The asset that the library made of the file; nil when there was no frame.
  static func outcome(
    _ summary: MovieSummary, _ stored: Result<Asset?, CaptureError>, recording id: RequestID,
    soundDrift: Double? = nil
  ) -> Result<WireRecordResult, CaptureError> {
    switch stored {
    case .failure(let error):
      return .failure(error)
    case .success(nil):
      return .failure(
        summary.error.map(CaptureError.init)
          ?? CaptureError(.frameUnavailable, "no frame came while recording: nothing was kept"))
    case .success(let asset?):
      return .success(
        WireRecordResult(summary, asset, recording: id, soundDrift: soundDrift))
    }
  }

  init(
    _ summary: MovieSummary, _ asset: Asset?, recording id: RequestID, soundDrift: Double? = nil
  ) {
    self.init()
    if let asset { self.asset = WireAsset(asset) }
    frames = UInt64(summary.frames)
    dropped = UInt64(summary.dropped)
    reason = EndReason(summary.reason)
    recording = id.data
    if let sound = summary.sound {
      soundCodec = WireSoundCodec(sound.codec)
      silentNs = sound.silent.wireNanoseconds
      if let soundDrift { soundDriftPpm = soundDrift }
    }
    if let first = summary.first { self.first = WireMovieFrameTime(first) }
    if let last = summary.last { self.last = WireMovieFrameTime(last) }
  }
}

extension WireMovieFrameTime {
  init(_ frame: FrameMetadata) {
    self.init()
    timestamp = WireTimestamp(frame.timestamp, frame.wallClock)
    timestampMark = WireTimestampMark(frame.marks)
    earliestStartNs = frame.exposure.earliestStart.nanoseconds
    latestEndNs = frame.exposure.latestEnd.nanoseconds
    exposureNs = UInt64(clamping: frame.facts.exposure ?? 0)
  }
}

extension WireRecordResult {
  /// The result of a recording whose movie was recovered after the node was killed. The number of
  /// dropped frames is not known.
  init(recovered asset: Asset) {
    self.init()
    self.asset = WireAsset(asset)
    frames = self.asset.frames
    reason = .nodeKilled
    recording = self.asset.requestID
  }
}

extension CaptureError {
  init(_ error: RecordingError) {
    switch error.code {
    case .storageFull: self.init(.storageFull, error.message)
    case .unsuitableFrame: self.init(.interrupted, error.message)
    case .notEncodable: self.init(.encodingFailed, error.message)
    default: self.init(.storageFailed, error.message)
    }
  }

  init(_ error: MediaLibraryError) {
    switch error.code {
    case .storageFull, .quotaExceeded: self.init(.storageFull, error.message)
    case .noSuchAsset: self.init(.noSuchAsset, error.message)
    default: self.init(.storageFailed, error.message)
    }
  }
}
