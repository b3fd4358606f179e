package import Capture
package import OperatingSystem

/// The fate of a frame that is due.
package enum FrameFate: Hashable, Sendable {
  case delivered
  /// The frame was exposed and then lost. It has a number.
  case lost
  case corrupted
  case truncated
  /// The frame was not exposed. It has no number.
  case stalled
}

extension ControlBank {
  /// Decides on the next frame. A fault that counts frames is counted down by one.
  ///
  /// - Returns: The fate, and the control that was counted down, if any.
  package mutating func takeFate(
    at time: MonotonicTime
  ) -> (fate: FrameFate, changed: SyntheticControl?) {
    guard isConnected(at: time), self[.stall] == 0 else { return (.stalled, nil) }
    if countDown(.frameLoss) { return (.lost, .frameLoss) }
    if countDown(.errorBuffers) { return (.corrupted, .errorBuffers) }
    if countDown(.truncated) { return (.truncated, .truncated) }
    return (.delivered, nil)
  }

  /// - Throws: The injected fault that prevents the start of streaming.
  package mutating func checkStart() throws(CaptureError) {
    guard self[.busy] == 0 else {
      throw CaptureError(
        .deviceBusy,
        "another program streams from the synthetic camera: set its control 'inject_busy' to 0"
      )
    }
    guard !countDown(.streamOnError) else {
      throw CaptureError(
        .deviceFailed,
        "the synthetic camera could not start streaming, as 'inject_streamon_error' asked: start it again"
      )
    }
  }

  /// The error of an unplugged camera.
  static var disconnection: CaptureError {
    CaptureError(
      .deviceNotFound,
      "the synthetic camera is unplugged: set its control 'disconnect' to 0"
    )
  }

  /// The error that `inject_fatal_error` causes.
  static var breakdown: CaptureError {
    CaptureError(
      .deviceFailed,
      "the synthetic camera broke down, as 'inject_fatal_error' asked: start it again"
    )
  }

  private mutating func countDown(_ control: SyntheticControl) -> Bool {
    guard self[control] > 0 else { return false }
    self[control] -= 1
    return true
  }
}
