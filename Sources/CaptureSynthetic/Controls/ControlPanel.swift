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

  /// A frame that is due.
  struct Exposure: Sendable {
    var fate: FrameFate
    var picture = PictureSettings()
    var facts = FrameFacts()
    /// Since when the flash has lit; nil if it does not light.
    var litSince: MonotonicTime?
    /// The control that was counted down.
    var changed: SyntheticControl?
  }

  func expose(at time: MonotonicTime) -> Exposure {
    bank.withLock { bank in
      let (fate, changed) = bank.takeFate(at: time)
      var exposure = Exposure(fate: fate, litSince: bank.litSince(at: time), changed: changed)
      // A frame that is not exposed settles nothing.
      if fate != .stalled { (exposure.picture, exposure.facts) = bank.takeFrame() }
      return exposure
    }
  }
}
