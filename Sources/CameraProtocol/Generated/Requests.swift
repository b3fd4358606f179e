// swift-format-ignore-file
// Made by Protocol/derive of the .proto files.

extension WireRequest.OneOf_Body {
  /// The kind of the request, as errors name it: "session_start".
  package var name: String {
    switch self {
    case .status: "status"
    case .sessionStart: "session_start"
    case .sessionStop: "session_stop"
    case .controlsList: "controls_list"
    case .controlsGet: "controls_get"
    case .controlsSet: "controls_set"
    case .capture: "capture"
    case .recordStart: "record_start"
    case .recordStop: "record_stop"
    case .download: "download"
    case .downloadCredit: "download_credit"
    case .cancel: "cancel"
    case .formats: "formats"
    case .assets: "assets"
    case .replay: "replay"
    case .delete: "delete"
    case .protect: "protect"
    case .sessionSuspend: "session_suspend"
    case .sessionResume: "session_resume"
    case .devices: "devices"
    case .leaseAcquire: "lease_acquire"
    case .leaseRenew: "lease_renew"
    case .leaseRelease: "lease_release"
    case .configure: "configure"
    case .capabilities: "capabilities"
    case .calibration: "calibration"
    case .clock: "clock"
    case .shotPrepare: "shot_prepare"
    case .shotCommit: "shot_commit"
    case .shotAbort: "shot_abort"
    case .recordPause: "record_pause"
    case .recordResume: "record_resume"
    case .recordTrigger: "record_trigger"
    case .microphones: "microphones"
    case .tag: "tag"
    case .libraryVerify: "library_verify"
    case .libraryRepair: "library_repair"
    }
  }

  /// The camera that it names, which is empty for the node's only one; nil for a kind of request
  /// without a camera.
  package var camera: String? {
    switch self {
    case .status(let body): body.camera
    case .sessionStart(let body): body.camera
    case .sessionStop(let body): body.camera
    case .controlsList(let body): body.camera
    case .controlsGet(let body): body.camera
    case .controlsSet(let body): body.camera
    case .capture(let body): body.camera
    case .recordStart(let body): body.camera
    case .recordStop(let body): body.camera
    case .formats(let body): body.camera
    case .assets(let body): body.camera
    case .sessionSuspend(let body): body.camera
    case .sessionResume(let body): body.camera
    case .leaseAcquire(let body): body.camera
    case .leaseRenew(let body): body.camera
    case .leaseRelease(let body): body.camera
    case .configure(let body): body.camera
    case .capabilities(let body): body.camera
    case .calibration(let body): body.camera
    case .shotCommit(let body): body.camera
    case .shotAbort(let body): body.camera
    case .recordPause(let body): body.camera
    case .recordResume(let body): body.camera
    case .recordTrigger(let body): body.camera
    case .libraryVerify(let body): body.camera
    case .shotPrepare(let body): body.capture.camera
    case .download, .downloadCredit, .cancel, .replay, .delete, .protect, .devices, .clock, .microphones, .tag, .libraryRepair: nil
    }
  }
}

/// The fields of requests by their paths, as errors name them.
package enum RequestField {
  package static let id = "id"
  package static let remainingNs = "remaining_ns"
  package static let epoch = "epoch"
  package static let lease = "lease"
  package enum Status {
    package static let path = "status"
    package static let camera = "status.camera"
  }
  package enum SessionStart {
    package static let path = "session_start"
    package static let camera = "session_start.camera"
    package static let atMonotonicNs = "session_start.at_monotonic_ns"
  }
  package enum SessionStop {
    package static let path = "session_stop"
    package static let camera = "session_stop.camera"
  }
  package enum ControlsList {
    package static let path = "controls_list"
    package static let camera = "controls_list.camera"
  }
  package enum ControlsGet {
    package static let path = "controls_get"
    package static let camera = "controls_get.camera"
    package static let ids = "controls_get.ids"
  }
  package enum ControlsSet {
    package static let path = "controls_set"
    package static let camera = "controls_set.camera"
    package enum Settings {
      package static let path = "controls_set.settings"
      package static let id = "controls_set.settings.id"
      package static let value = "controls_set.settings.value"
    }
    package static let findEffect = "controls_set.find_effect"
    package static let rampRate = "controls_set.ramp_rate"
    package static let stopRamp = "controls_set.stop_ramp"
  }
  package enum Capture {
    package static let path = "capture"
    package static let when = "capture.when"
    package static let now = "capture.now"
    package static let next = "capture.next"
    package static let atMonotonicNs = "capture.at_monotonic_ns"
    package static let atWallNs = "capture.at_wall_ns"
    package static let noOlderThanNs = "capture.no_older_than_ns"
    package static let pastNs = "capture.past_ns"
    package static let camera = "capture.camera"
    package static let quality = "capture.quality"
    package static let inlineLimit = "capture.inline_limit"
    package static let transient = "capture.transient"
    package static let size = "capture.size"
    package enum Outputs {
      package static let path = "capture.outputs"
      package static let format = "capture.outputs.format"
      package static let quality = "capture.outputs.quality"
      package static let reencode = "capture.outputs.reencode"
    }
    package enum Burst {
      package static let path = "capture.burst"
      package static let pictures = "capture.burst.pictures"
      package static let every = "capture.burst.every"
    }
    package enum Orientation {
      package static let path = "capture.orientation"
      package static let rotation = "capture.orientation.rotation"
      package static let mirrored = "capture.orientation.mirrored"
    }
    package static let orientationTag = "capture.orientation_tag"
    package static let dimensions = "capture.dimensions"
    package static let prioritization = "capture.prioritization"
    package enum Bracket {
      package static let path = "capture.bracket"
      package enum Shots {
        package static let path = "capture.bracket.shots"
        package static let kind = "capture.bracket.shots.kind"
        package static let ev = "capture.bracket.shots.ev"
        package static let exposureNs = "capture.bracket.shots.exposure_ns"
        package enum Settings {
          package static let path = "capture.bracket.shots.settings"
          package enum Settings {
            package static let path = "capture.bracket.shots.settings.settings"
            package static let id = "capture.bracket.shots.settings.settings.id"
            package static let value = "capture.bracket.shots.settings.settings.value"
          }
        }
      }
    }
    package static let deferred = "capture.deferred"
    package static let flash = "capture.flash"
    package enum Depth {
      package static let path = "capture.depth"
      package enum Matte {
        package static let path = "capture.depth.matte"
        package static let nearM = "capture.depth.matte.near_m"
        package static let farM = "capture.depth.matte.far_m"
      }
    }
    package static let toleranceNs = "capture.tolerance_ns"
    package static let name = "capture.name"
    package static let tags = "capture.tags"
    package static let live = "capture.live"
  }
  package enum RecordStart {
    package static let path = "record_start"
    package static let camera = "record_start.camera"
    package static let quality = "record_start.quality"
    package static let maximumDurationNs = "record_start.maximum_duration_ns"
    package static let maximumBytes = "record_start.maximum_bytes"
    package static let fromMonotonicNs = "record_start.from_monotonic_ns"
    package static let untilMonotonicNs = "record_start.until_monotonic_ns"
    package static let codec = "record_start.codec"
    package static let container = "record_start.container"
    package static let bitRate = "record_start.bit_rate"
    package static let keyIntervalNs = "record_start.key_interval_ns"
    package enum Sound {
      package static let path = "record_start.sound"
      package static let microphone = "record_start.sound.microphone"
      package static let codec = "record_start.sound.codec"
      package static let bitRate = "record_start.sound.bit_rate"
      package static let required = "record_start.sound.required"
    }
    package enum Segments {
      package static let path = "record_start.segments"
      package static let durationNs = "record_start.segments.duration_ns"
      package static let bytes = "record_start.segments.bytes"
      package static let wallClock = "record_start.segments.wall_clock"
    }
    package enum Clips {
      package static let path = "record_start.clips"
      package static let beforeNs = "record_start.clips.before_ns"
      package static let afterNs = "record_start.clips.after_ns"
      package static let subjectAreas = "record_start.clips.subject_areas"
    }
    package static let onCameraLost = "record_start.on_camera_lost"
    package static let progressIntervalNs = "record_start.progress_interval_ns"
    package static let name = "record_start.name"
    package static let tags = "record_start.tags"
  }
  package enum RecordStop {
    package static let path = "record_stop"
    package static let camera = "record_stop.camera"
    package static let recording = "record_stop.recording"
    package static let atMonotonicNs = "record_stop.at_monotonic_ns"
  }
  package enum Download {
    package static let path = "download"
    package static let asset = "download.asset"
    package static let offset = "download.offset"
    package static let credit = "download.credit"
  }
  package enum DownloadCredit {
    package static let path = "download_credit"
    package static let download = "download_credit.download"
    package static let chunks = "download_credit.chunks"
  }
  package enum Cancel {
    package static let path = "cancel"
    package static let request = "cancel.request"
  }
  package enum Formats {
    package static let path = "formats"
    package static let camera = "formats.camera"
  }
  package enum Assets {
    package static let path = "assets"
    package static let camera = "assets.camera"
    package static let limit = "assets.limit"
    package static let id = "assets.id"
    package static let requestID = "assets.request_id"
    package static let page = "assets.page"
    package static let sinceWallNs = "assets.since_wall_ns"
    package static let untilWallNs = "assets.until_wall_ns"
    package static let kind = "assets.kind"
    package static let protected = "assets.protected"
    package static let deferral = "assets.deferral"
    package static let name = "assets.name"
    package static let tags = "assets.tags"
  }
  package enum Replay {
    package static let path = "replay"
    package enum Ranges {
      package static let path = "replay.ranges"
      package static let topic = "replay.ranges.topic"
      package static let first = "replay.ranges.first"
      package static let last = "replay.ranges.last"
    }
  }
  package enum Delete {
    package static let path = "delete"
    package static let assets = "delete.assets"
  }
  package enum Protect {
    package static let path = "protect"
    package static let assets = "protect.assets"
    package static let protected = "protect.protected"
  }
  package enum SessionSuspend {
    package static let path = "session_suspend"
    package static let camera = "session_suspend.camera"
    package static let reason = "session_suspend.reason"
  }
  package enum SessionResume {
    package static let path = "session_resume"
    package static let camera = "session_resume.camera"
  }
  package enum Devices {
    package static let path = "devices"
  }
  package enum LeaseAcquire {
    package static let path = "lease_acquire"
    package static let camera = "lease_acquire.camera"
    package static let holder = "lease_acquire.holder"
    package static let termNs = "lease_acquire.term_ns"
  }
  package enum LeaseRenew {
    package static let path = "lease_renew"
    package static let camera = "lease_renew.camera"
  }
  package enum LeaseRelease {
    package static let path = "lease_release"
    package static let camera = "lease_release.camera"
    package static let force = "lease_release.force"
  }
  package enum Configure {
    package static let path = "configure"
    package static let camera = "configure.camera"
    package static let preset = "configure.preset"
    package static let pixelFormat = "configure.pixel_format"
    package static let size = "configure.size"
    package static let minimumRate = "configure.minimum_rate"
    package static let maximumRate = "configure.maximum_rate"
    package enum Settings {
      package static let path = "configure.settings"
      package static let id = "configure.settings.id"
      package static let value = "configure.settings.value"
    }
    package static let endRecording = "configure.end_recording"
    package static let mode = "configure.mode"
    package enum Preview {
      package static let path = "configure.preview"
      package static let rotation = "configure.preview.rotation"
      package static let mirrored = "configure.preview.mirrored"
    }
    package enum Capture {
      package static let path = "configure.capture"
      package static let rotation = "configure.capture.rotation"
      package static let mirrored = "configure.capture.mirrored"
    }
    package static let findEffect = "configure.find_effect"
    package static let subjectArea = "configure.subject_area"
    package enum Streams {
      package static let path = "configure.streams"
      package static let stream = "configure.streams.stream"
      package static let maximumRate = "configure.streams.maximum_rate"
      package static let quality = "configure.streams.quality"
      package static let enabled = "configure.streams.enabled"
      package static let bitRate = "configure.streams.bit_rate"
      package static let keyIntervalNs = "configure.streams.key_interval_ns"
      package static let bound = "configure.streams.bound"
    }
    package static let input = "configure.input"
    package static let forget = "configure.forget"
    package enum LivePhotos {
      package static let path = "configure.live_photos"
      package static let beforeNs = "configure.live_photos.before_ns"
      package static let afterNs = "configure.live_photos.after_ns"
      package static let sound = "configure.live_photos.sound"
      package static let microphone = "configure.live_photos.microphone"
    }
  }
  package enum Capabilities {
    package static let path = "capabilities"
    package static let camera = "capabilities.camera"
  }
  package enum Calibration {
    package static let path = "calibration"
    package static let camera = "calibration.camera"
  }
  package enum Clock {
    package static let path = "clock"
  }
  package enum ShotPrepare {
    package static let path = "shot_prepare"
    package static let shot = "shot_prepare.shot"
    package enum Capture {
      package static let path = "shot_prepare.capture"
      package static let when = "shot_prepare.capture.when"
      package static let now = "shot_prepare.capture.now"
      package static let next = "shot_prepare.capture.next"
      package static let atMonotonicNs = "shot_prepare.capture.at_monotonic_ns"
      package static let atWallNs = "shot_prepare.capture.at_wall_ns"
      package static let noOlderThanNs = "shot_prepare.capture.no_older_than_ns"
      package static let pastNs = "shot_prepare.capture.past_ns"
      package static let camera = "shot_prepare.capture.camera"
      package static let quality = "shot_prepare.capture.quality"
      package static let inlineLimit = "shot_prepare.capture.inline_limit"
      package static let transient = "shot_prepare.capture.transient"
      package static let size = "shot_prepare.capture.size"
      package enum Outputs {
        package static let path = "shot_prepare.capture.outputs"
        package static let format = "shot_prepare.capture.outputs.format"
        package static let quality = "shot_prepare.capture.outputs.quality"
        package static let reencode = "shot_prepare.capture.outputs.reencode"
      }
      package enum Burst {
        package static let path = "shot_prepare.capture.burst"
        package static let pictures = "shot_prepare.capture.burst.pictures"
        package static let every = "shot_prepare.capture.burst.every"
      }
      package enum Orientation {
        package static let path = "shot_prepare.capture.orientation"
        package static let rotation = "shot_prepare.capture.orientation.rotation"
        package static let mirrored = "shot_prepare.capture.orientation.mirrored"
      }
      package static let orientationTag = "shot_prepare.capture.orientation_tag"
      package static let dimensions = "shot_prepare.capture.dimensions"
      package static let prioritization = "shot_prepare.capture.prioritization"
      package enum Bracket {
        package static let path = "shot_prepare.capture.bracket"
        package enum Shots {
          package static let path = "shot_prepare.capture.bracket.shots"
          package static let kind = "shot_prepare.capture.bracket.shots.kind"
          package static let ev = "shot_prepare.capture.bracket.shots.ev"
          package static let exposureNs = "shot_prepare.capture.bracket.shots.exposure_ns"
          package enum Settings {
            package static let path = "shot_prepare.capture.bracket.shots.settings"
            package enum Settings {
              package static let path = "shot_prepare.capture.bracket.shots.settings.settings"
              package static let id = "shot_prepare.capture.bracket.shots.settings.settings.id"
              package static let value = "shot_prepare.capture.bracket.shots.settings.settings.value"
            }
          }
        }
      }
      package static let deferred = "shot_prepare.capture.deferred"
      package static let flash = "shot_prepare.capture.flash"
      package enum Depth {
        package static let path = "shot_prepare.capture.depth"
        package enum Matte {
          package static let path = "shot_prepare.capture.depth.matte"
          package static let nearM = "shot_prepare.capture.depth.matte.near_m"
          package static let farM = "shot_prepare.capture.depth.matte.far_m"
        }
      }
      package static let toleranceNs = "shot_prepare.capture.tolerance_ns"
      package static let name = "shot_prepare.capture.name"
      package static let tags = "shot_prepare.capture.tags"
      package static let live = "shot_prepare.capture.live"
    }
    package static let wallErrorNs = "shot_prepare.wall_error_ns"
    package static let holder = "shot_prepare.holder"
    package static let termNs = "shot_prepare.term_ns"
  }
  package enum ShotCommit {
    package static let path = "shot_commit"
    package static let when = "shot_commit.when"
    package static let camera = "shot_commit.camera"
    package static let shot = "shot_commit.shot"
    package static let atMonotonicNs = "shot_commit.at_monotonic_ns"
    package static let atWallNs = "shot_commit.at_wall_ns"
  }
  package enum ShotAbort {
    package static let path = "shot_abort"
    package static let camera = "shot_abort.camera"
    package static let shot = "shot_abort.shot"
  }
  package enum RecordPause {
    package static let path = "record_pause"
    package static let camera = "record_pause.camera"
    package static let recording = "record_pause.recording"
  }
  package enum RecordResume {
    package static let path = "record_resume"
    package static let camera = "record_resume.camera"
    package static let recording = "record_resume.recording"
  }
  package enum RecordTrigger {
    package static let path = "record_trigger"
    package static let camera = "record_trigger.camera"
    package static let recording = "record_trigger.recording"
    package static let atMonotonicNs = "record_trigger.at_monotonic_ns"
  }
  package enum Microphones {
    package static let path = "microphones"
  }
  package enum Tag {
    package static let path = "tag"
    package static let assets = "tag.assets"
    package static let name = "tag.name"
    package static let add = "tag.add"
    package static let remove = "tag.remove"
  }
  package enum LibraryVerify {
    package static let path = "library_verify"
    package static let camera = "library_verify.camera"
    package static let tags = "library_verify.tags"
    package static let sinceWallNs = "library_verify.since_wall_ns"
  }
  package enum LibraryRepair {
    package static let path = "library_repair"
    package static let dropMissing = "library_repair.drop_missing"
  }
}
