import CameraProtocol
import Capture
import OperatingSystem
import Recording
import SwiftProtobuf

extension WireCameraStatus {
  /// Fills in the session's state: since when, what went wrong, and when the node tries again.
  mutating func describe(_ session: SessionStatus, _ wallClock: WallClockSample) {
    device = WireDevice(session.device)
    since = WireTimestamp(session.since, wallClock)
    configuration = WireConfiguration(session.configuration)
    refusals = session.refusals.map(WireRefusal.init)
    if let format = session.format { self.format = WireStreamFormat(format) }
    switch session.state {
    case .stopped: state = .stopped
    case .starting: state = .starting
    case .running: state = .running
    case .idle: state = .idle
    case .interrupted(let interruption):
      state = .interrupted
      self.interruption = WireInterruptionReason(interruption.reason)
      describe(interruption.failure)
    case .failed(let failure):
      state = .failed
      describe(failure)
    }
  }

  private mutating func describe(_ failure: SessionState.Failure) {
    error = WireError(failure.error)
    attempts = UInt32(clamping: failure.attempts)
    lastAttempt = failure.lastAttempt?.summary ?? ""
    lastAttemptMonotonicNs = failure.lastAttempt?.time.nanoseconds ?? 0
    nextAttemptMonotonicNs = failure.nextAttempt?.nanoseconds ?? 0
  }
}

extension WireConfiguration {
  init(_ configuration: ActiveConfiguration) {
    self.init()
    mode = WireMode(configuration.mode)
    preset = WirePreset(configuration.preset)
    preview = WireOrientation(configuration.orientations.preview)
    capture = WireOrientation(configuration.orientations.capture)
    minimumRate = configuration.rates?.lowerBound ?? 0
    maximumRate = configuration.rates?.upperBound ?? 0
    streams = [WireStreamSettings](configuration.streams)
  }
}

extension [WireStreamSettings] {
  /// By name.
  init(_ streams: [String: StreamSettings]) {
    self = streams.sorted { $0.key < $1.key }.map { name, settings in
      .with {
        $0.stream = name
        if let rate = settings.maximumRate { $0.maximumRate = rate }
        if let quality = settings.quality { $0.quality = UInt32(quality) }
        if let isEnabled = settings.isEnabled { $0.enabled = isEnabled }
        if let rate = settings.bitRate { $0.bitRate = UInt64(clamping: rate) }
        if let interval = settings.keyInterval {
          $0.keyIntervalNs = UInt64(clamping: interval.wholeNanoseconds)
        }
        if let bound = settings.bound { $0.bound = WireSize(bound) }
      }
    }
  }
}

extension WireDevice {
  init(_ device: DeviceDescription) {
    self.init()
    identity = device.identity
    model = device.model
    location = device.location
    driver = device.driver
  }
}

extension SessionState {
  /// Why a recording ends when the session enters this state; nil while the session runs. A
  /// recording that is there while it is idle is one that starts it.
  var endOfRecording: MovieSummary.EndReason? {
    switch self {
    case .running, .idle: nil
    case .stopped, .starting: .stopped
    case .interrupted, .failed: .cameraLost
    }
  }

  /// Whether the camera has a problem.
  var isTrouble: Bool {
    switch self {
    case .stopped, .starting, .running, .idle: false
    case .interrupted, .failed: true
    }
  }

  /// For the log.
  var summary: String {
    switch self {
    case .stopped: "stopped"
    case .starting: "starting"
    case .running: "running"
    case .idle: "idle: nobody uses it"
    case .interrupted(let interruption):
      "interrupted (\(interruption.reason)): \(interruption.failure.error.message)"
    case .failed(let failure): "failed: \(failure.error.message)"
    }
  }
}
