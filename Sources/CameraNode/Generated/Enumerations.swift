// swift-format-ignore-file
// Made by Protocol/derive of the .proto files.

import CameraProtocol
import Capture
import Keys
import MediaLibrary
import OperatingSystem
import Recording

extension WireRole {
  init(_ own: Role) {
    switch own {
    case .viewer: self = .viewer
    case .operator: self = .operator
    case .controller: self = .controller
    }
  }
}

extension WireTimestampMark {
  init(_ own: TimestampMark) {
    switch own {
    case .exposureStart: self = .exposureStart
    case .frameEnd: self = .frameEnd
    case .arrival: self = .arrival
    case .dequeue: self = .dequeue
    }
  }
}

extension WireInterruptionReason {
  init(_ own: InterruptionReason) {
    switch own {
    case .deviceDisconnected: self = .deviceDisconnected
    case .deviceInUseByAnotherClient: self = .deviceInUseByAnotherClient
    case .deviceStalled: self = .deviceStalled
    case .systemPressure: self = .systemPressure
    case .suspendedByOperator: self = .suspendedByOperator
    }
  }
}

extension WireReadiness {
  init(_ own: Readiness) {
    switch own {
    case .sessionNotRunning: self = .sessionNotRunning
    case .ready: self = .ready
    case .notReadyMomentarily: self = .notReadyMomentarily
    case .notReadyWaitingForCapture: self = .notReadyWaitingForCapture
    case .notReadyWaitingForProcessing: self = .notReadyWaitingForProcessing
    case .notReadyStorageFull: self = .notReadyStorageFull
    case .notReadyUnsupportedFormat: self = .notReadyUnsupportedFormat
    case .notReadyStorageFailed: self = .notReadyStorageFailed
    case .notReadyChangingFormat: self = .notReadyChangingFormat
    }
  }
}

extension WireAuthorization {
  init(_ own: DeviceAuthorization) {
    switch own {
    case .authorized: self = .authorized
    case .denied: self = .denied
    case .restricted: self = .restricted
    }
  }
}

extension WirePosition {
  init(_ own: DevicePosition) {
    switch own {
    case .front: self = .front
    case .back: self = .back
    case .external: self = .external
    }
  }
}

extension WireMode {
  init(_ own: CaptureMode) {
    switch own {
    case .photo: self = .photo
    case .video: self = .video
    }
  }
}

extension CaptureMode {
  init?(_ wire: WireMode) {
    switch wire {
    case .photo: self = .photo
    case .video: self = .video
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension WirePreset {
  init(_ own: SessionPreset) {
    switch own {
    case .photo: self = .photo
    case .high: self = .high
    case .medium: self = .medium
    case .low: self = .low
    case .hd1280x720: self = .hd1280X720
    case .hd1920x1080: self = .hd1920X1080
    case .hd3840x2160: self = .hd3840X2160
    case .inputPriority: self = .inputPriority
    }
  }
}

extension SessionPreset {
  init?(_ wire: WirePreset) {
    switch wire {
    case .photo: self = .photo
    case .high: self = .high
    case .medium: self = .medium
    case .low: self = .low
    case .hd1280X720: self = .hd1280x720
    case .hd1920X1080: self = .hd1920x1080
    case .hd3840X2160: self = .hd3840x2160
    case .inputPriority: self = .inputPriority
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension WireControlKind {
  init(_ own: ControlDescription.Kind) {
    switch own {
    case .integer: self = .integer
    case .integer64: self = .integer64
    case .boolean: self = .boolean
    case .menu: self = .menu
    case .integerMenu: self = .integerMenu
    case .bitmask: self = .bitmask
    case .string: self = .string
    case .button: self = .button
    case .array: self = .array
    case .compound: self = .compound
    case .number: self = .number
    case .point: self = .point
    }
  }
}

extension WireControlEffect.Basis {
  init(_ own: ControlEffect.Basis) {
    switch own {
    case .metadata: self = .metadata
    case .picture: self = .picture
    case .unchanged: self = .unchanged
    }
  }
}

extension WireDeviceTime.Basis {
  init(_ own: DeviceTime.Basis) {
    switch own {
    case .usbFrames: self = .usbFrames
    case .arrival: self = .arrival
    }
  }
}

extension WirePressureLevel {
  init(_ own: PressureLevel) {
    switch own {
    case .nominal: self = .nominal
    case .fair: self = .fair
    case .serious: self = .serious
    case .critical: self = .critical
    case .shutdown: self = .shutdown
    }
  }
}

extension WireWallClockSource {
  init(_ own: WallClockError.Source) {
    switch own {
    case .operator: self = .operator
    case .chronyd: self = .chronyd
    case .ntpd: self = .ntpd
    }
  }
}

extension WireDeferral {
  init(_ own: Deferral) {
    switch own {
    case .pending: self = .pending
    case .done: self = .done
    case .failed: self = .failed
    }
  }
}

extension Deferral {
  init?(_ wire: WireDeferral) {
    switch wire {
    case .pending: self = .pending
    case .done: self = .done
    case .failed: self = .failed
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension WireAssetCondition {
  init(_ own: AssetCondition) {
    switch own {
    case .intact: self = .intact
    case .missing: self = .missing
    case .changed: self = .changed
    }
  }
}

extension WireRecordResult.EndReason {
  init(_ own: MovieSummary.EndReason) {
    switch own {
    case .stopped: self = .stopped
    case .limitReached: self = .limitReached
    case .storageFull: self = .storageFull
    case .cameraLost: self = .cameraLost
    case .nodeStopped: self = .nodeStopped
    case .storageFailed: self = .storageFailed
    case .cut: self = .cut
    case .soundLost: self = .soundLost
    }
  }
}

extension WireVideoCodec {
  init(_ own: VideoCodec) {
    switch own {
    case .mjpeg: self = .mjpeg
    case .h264: self = .h264
    }
  }
}

extension VideoCodec {
  init?(_ wire: WireVideoCodec) {
    switch wire {
    case .mjpeg: self = .mjpeg
    case .h264: self = .h264
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension WireMovieContainer {
  init(_ own: MovieContainer) {
    switch own {
    case .matroska: self = .matroska
    case .mp4: self = .mp4
    }
  }
}

extension MovieContainer {
  init?(_ wire: WireMovieContainer) {
    switch wire {
    case .matroska: self = .matroska
    case .mp4: self = .mp4
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension WireSoundCodec {
  init(_ own: SoundCodec) {
    switch own {
    case .aac: self = .aac
    case .opus: self = .opus
    }
  }
}

extension SoundCodec {
  init?(_ wire: WireSoundCodec) {
    switch wire {
    case .aac: self = .aac
    case .opus: self = .opus
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension WireLibraryEvent.Reason {
  init(_ own: LibraryQuota.Reason) {
    switch own {
    case .size: self = .size
    case .age: self = .age
    case .free: self = .free
    }
  }
}

extension CaptureOrder.Flash {
  init(_ wire: WireFlashMode) {
    switch wire {
    case .off, .unspecified, .UNRECOGNIZED: self = .off
    case .on: self = .on
    case .auto: self = .auto
    }
  }
}

extension WirePhotoPrioritization {
  init(_ own: PhotoPrioritization) {
    switch own {
    case .speed: self = .speed
    case .balanced: self = .balanced
    case .quality: self = .quality
    }
  }
}

extension PhotoPrioritization {
  init(_ wire: WirePhotoPrioritization) {
    switch wire {
    case .speed, .unspecified, .UNRECOGNIZED: self = .speed
    case .balanced: self = .balanced
    case .quality: self = .quality
    }
  }
}

extension PhotoFormat {
  init(_ wire: WirePhotoFormat) {
    switch wire {
    case .jpeg, .unspecified, .UNRECOGNIZED: self = .jpeg
    case .png: self = .png
    case .tiff: self = .tiff
    case .dng: self = .dng
    case .avif: self = .avif
    case .heic: self = .heic
    case .raw: self = .raw
    }
  }
}
