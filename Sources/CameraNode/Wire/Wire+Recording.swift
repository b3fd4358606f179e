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
  /// - Parameter stored: the asset that the library made of the file; nil when there was no frame.
  static func outcome(
    _ summary: MovieSummary, _ stored: Result<Asset?, MediaLibraryError>, recording id: RequestID
  ) -> Result<WireRecordResult, CaptureError> {
    switch stored {
    case .failure(let error):
      return .failure(CaptureError(error))
    case .success(nil):
      return .failure(
        summary.error.map(CaptureError.init)
          ?? CaptureError(.frameUnavailable, "no frame came while recording: nothing was kept"))
    case .success(let asset?):
      return .success(
        .with {
          $0.asset = WireAsset(asset)
          $0.frames = UInt64(summary.frames)
          $0.dropped = UInt64(summary.dropped)
          $0.reason = EndReason(summary.reason)
          $0.recording = id.data
        })
    }
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

extension WireRecordResult.EndReason {
  init(_ reason: MovieSummary.EndReason) {
    switch reason {
    case .stopped: self = .stopped
    case .limitReached: self = .limitReached
    case .storageFull: self = .storageFull
    case .storageFailed: self = .storageFailed
    case .cameraLost: self = .cameraLost
    case .nodeStopped: self = .nodeStopped
    }
  }
}

extension WireAsset {
  init(_ asset: Asset) {
    self.init()
    id = Data(asset.id.bytes)
    camera = asset.description.camera
    mediaType = asset.description.mediaType.rawValue
    path = asset.relativePath
    byteCount = UInt64(asset.byteCount)
    sha256 = Data(asset.sha256.bytes)
    size = .with {
      $0.width = UInt32(clamping: asset.description.width)
      $0.height = UInt32(clamping: asset.description.height)
    }
    createdWallNs = asset.description.createdAt
    durationNs = asset.duration.map { Int64($0 / .nanoseconds(1)) } ?? 0
    frames = UInt64(asset.frameCount ?? 0)
    requestID = Data(asset.description.requestID ?? [])
    recovered = asset.isRecovered
  }
}

extension CaptureError {
  init(_ error: RecordingError) {
    switch error.code {
    case .storageFull: self.init(.storageFull, error.message)
    case .unsuitableFrame: self.init(.interrupted, error.message)
    default: self.init(.storageFailed, error.message)
    }
  }

  init(_ error: MediaLibraryError) {
    switch error.code {
    case .storageFull, .quotaExceeded: self.init(.storageFull, error.message)
    case .noSuchAsset, .assetMissing: self.init(.noSuchAsset, error.message)
    default: self.init(.storageFailed, error.message)
    }
  }
}
