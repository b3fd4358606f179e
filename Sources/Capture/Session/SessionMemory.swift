package import Imaging

/// What clients have changed on a camera, so that a later start makes it so again.
package struct SessionMemory: Hashable, Sendable {
  /// A choice of format. It is remembered as a whole, because its parts depend on each other.
  package struct Format: Hashable, Sendable {
    package var mode: CaptureMode
    package var preset: SessionPreset
    package var request: FormatRequest
    package var rates: ClosedRange<Double>?

    package init(
      mode: CaptureMode, preset: SessionPreset, request: FormatRequest,
      rates: ClosedRange<Double>? = nil
    ) {
      (self.mode, self.preset, self.request, self.rates) = (mode, preset, request, rates)
    }
  }

  /// The device that had the format and the settings; nil if nothing of these is remembered.
  package var device: DeviceDescription?
  package var format: Format?
  package var preview: Orientation?
  package var capture: Orientation?
  /// By the names of the streams; 0 or true where clients have taken a setting away.
  package var streams: [String: StreamSettings] = [:]
  /// The values of the driver's own controls and of a zoom that the node makes, the latest last.
  package var settings: [CaptureSession.Setting] = []

  package init() {}

  /// Whether its format and its settings are for this device: the same one, or another one of the
  /// same model, which may have no name of its own and be plugged in elsewhere now.
  func isFor(_ device: DeviceDescription) -> Bool {
    guard let own = self.device else { return true }
    return own.identity == device.identity
      || own.driver == device.driver && own.model == device.model
  }
}
