package import CameraProtocol

// The wire's numbers as values; a number that this client does not know becomes `unknown`.

extension SessionState {
  package init(_ wire: WireSessionState) {
    self =
      switch wire {
      case .stopped: .stopped
      case .starting: .starting
      case .running: .running
      case .idle: .idle
      case .interrupted: .interrupted
      case .failed: .failed
      case .unspecified, .UNRECOGNIZED: .unknown
      }
  }
}

extension CameraAdoption {
  /// Nil for a camera that the node's configuration names.
  package init?(_ wire: WireAdoption) {
    switch wire {
    case .unspecified: return nil
    case .adopted: self = .adopted
    case .ended: self = .ended
    case .UNRECOGNIZED: self = .unknown
    }
  }
}

extension KeyRole {
  package init(_ wire: WireRole) {
    self =
      switch wire {
      case .viewer: .viewer
      case .operator: .operator
      case .controller: .controller
      case .unspecified, .UNRECOGNIZED: .unknown
      }
  }
}

extension InterruptionReason {
  package init(_ wire: WireInterruptionReason) {
    self =
      switch wire {
      case .deviceDisconnected: .deviceDisconnected
      case .deviceInUseByAnotherClient: .deviceInUseByAnotherClient
      case .deviceStalled: .deviceStalled
      case .systemPressure: .systemPressure
      case .storageFull: .storageFull
      case .audioDeviceInUse: .audioDeviceInUse
      case .suspendedByOperator: .suspendedByOperator
      case .unspecified, .UNRECOGNIZED: .unknown
      }
  }
}

extension Readiness {
  package init(_ wire: WireReadiness) {
    self =
      switch wire {
      case .sessionNotRunning: .sessionNotRunning
      case .ready: .ready
      case .notReadyMomentarily: .notReadyMomentarily
      case .notReadyWaitingForCapture: .notReadyWaitingForCapture
      case .notReadyWaitingForProcessing: .notReadyWaitingForProcessing
      case .notReadyStorageFull: .notReadyStorageFull
      case .notReadyUnsupportedFormat: .notReadyUnsupportedFormat
      case .notReadyStorageFailed: .notReadyStorageFailed
      case .notReadyChangingFormat: .notReadyChangingFormat
      case .unspecified, .UNRECOGNIZED: .unknown
      }
  }
}

extension TimestampMark {
  package init(_ wire: WireTimestampMark) {
    self =
      switch wire {
      case .exposureStart: .exposureStart
      case .frameEnd: .frameEnd
      case .arrival: .arrival
      case .dequeue: .dequeue
      case .unspecified, .UNRECOGNIZED: .unknown
      }
  }
}

extension Control.Kind {
  package init(_ wire: WireControlKind) {
    self =
      switch wire {
      case .integer: .integer
      case .integer64: .integer64
      case .boolean: .boolean
      case .menu: .menu
      case .integerMenu: .integerMenu
      case .bitmask: .bitmask
      case .string: .string
      case .button: .button
      case .array: .array
      case .compound: .compound
      case .number: .number
      case .point: .point
      case .unspecified, .UNRECOGNIZED: .unknown
      }
  }
}

extension Movie.EndReason {
  package init(_ wire: WireRecordResult.EndReason) {
    self =
      switch wire {
      case .stopped: .stopped
      case .limitReached: .limitReached
      case .storageFull: .storageFull
      case .cameraLost: .cameraLost
      case .nodeStopped: .nodeStopped
      case .storageFailed: .storageFailed
      case .nodeKilled: .nodeKilled
      case .unspecified, .UNRECOGNIZED: .unknown
      }
  }
}
