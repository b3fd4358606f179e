/// A device for a session, and the format to start it with the first time.
package struct SessionInput: Sendable {
  package var device: any CameraDevice
  package var request: FormatRequest

  package init(_ device: any CameraDevice, _ request: FormatRequest = FormatRequest()) {
    self.device = device
    self.request = request
  }
}

/// What a session's devices had when it left them, so that a device that returns has it again.
/// Pure.
struct SessionInputs {
  struct State {
    var setup: SessionSetup
    var ledger = ControlLedger()
  }

  /// How many devices are remembered.
  static let limit = 8

  /// The device that was left last is the last one.
  private var left: [(identity: String, state: State)] = []

  /// - Returns: Nil if the session has never left the device, or has left many others since.
  func state(of device: DeviceDescription) -> State? {
    left.last { $0.identity == device.identity }?.state
  }

  /// What brackets and flashes have changed on devices that were not there since, by their
  /// identities.
  private var owed: [String: [CaptureSession.Setting]] = [:]

  mutating func owe(_ settings: [CaptureSession.Setting], to identity: String) {
    owed[identity, default: []] += settings
  }

  /// What is owed to a device that is open. It counts as taken.
  mutating func takeOwed(to identity: String) -> [CaptureSession.Setting] {
    owed.removeValue(forKey: identity) ?? []
  }

  mutating func leave(_ device: DeviceDescription, _ state: State) {
    left.removeAll { $0.identity == device.identity }
    left = left.suffix(Self.limit - 1) + [(device.identity, state)]
  }
}

/// What a session asks of its device. It changes as a whole or not at all.
struct SessionSetup {
  var request: FormatRequest
  /// The format in which the device ran last. It is set again when the device comes back.
  var lastFormat: StreamFormat?
  var configuration = ActiveConfiguration()

  /// A choice of format.
  var format: SessionMemory.Format {
    get {
      SessionMemory.Format(
        mode: configuration.mode, preset: configuration.preset, request: request,
        rates: configuration.rates)
    }
    set {
      (configuration.mode, configuration.preset) = (newValue.mode, newValue.preset)
      (configuration.rates, request) = (newValue.rates, newValue.request)
    }
  }

  /// Asks for another format than before.
  mutating func ask(for wanted: FormatRequest) {
    (request, lastFormat) = (wanted, nil)
  }
}
