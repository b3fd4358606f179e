import Capture
import OperatingSystem

/// The controls, shared by the session's thread, which sets them, and the sensor's thread, which
/// reads them.
final class ControlPanel: Sendable {
  private let bank: Mutex<ControlBank>

  init(_ settling: Settling) {
    bank = Mutex(ControlBank(settling: settling))
  }

  func withBank<R: Sendable>(_ body: (inout ControlBank) throws(CaptureError) -> R)
    throws(CaptureError) -> R
  {
    try bank.withLock { (bank) throws(CaptureError) in try body(&bank) }
  }

  /// Returns the fate and settings of the frame that is due, and the control that was counted down,
  /// if any.
  func expose(
    at time: MonotonicTime
  ) -> (
    fate: FrameFate, picture: PictureSettings, facts: FrameFacts, changed: SyntheticControl?
  ) {
    bank.withLock { bank in
      let (fate, changed) = bank.takeFate(at: time)
      // A frame that is not exposed settles nothing.
      let (picture, facts) = fate == .stalled ? (PictureSettings(), FrameFacts()) : bank.takeFrame()
      return (fate, picture, facts, changed)
    }
  }
}
