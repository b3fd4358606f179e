package import Capture
package import OperatingSystem

/// The values of a synthetic camera's controls and their effects. It does no I/O.
package struct ControlBank: Sendable {
  /// The effect of a control on the running stream, or on a session that waits for the camera.
  package enum Effect: Hashable, Sendable {
    case none
    case disconnected
    case failed
    /// The camera is available again.
    case returned
  }

  private var values: [SyntheticControl: Int64]
  private var sensor: SettlingSensor
  private let descriptions: [SyntheticControl: ControlDescription]
  /// The end of the disconnection. A time in the past means that the camera is plugged in.
  private var disconnectedUntil = MonotonicTime(nanoseconds: .min)
  /// When the flash was fired last, and until when it lights.
  private var strobe: (start: MonotonicTime, end: MonotonicTime)?
  /// Whether it has lost its settings, as a camera does without power.
  private var hasLostSettings = false

  /// - Parameter settling: After how many frames a change shows.
  package init(settling: Settling = Settling()) {
    let described = SyntheticControl.allCases.map { ($0, $0.staticDescription) }
    descriptions = Dictionary(uniqueKeysWithValues: described)
    values = Self.defaults(descriptions)
    sensor = SettlingSensor(values, settling)
  }

  private static func defaults(
    _ descriptions: [SyntheticControl: ControlDescription]
  ) -> [SyntheticControl: Int64] {
    var values = descriptions.mapValues(\.defaultValue)
    values[.region] = SensorRegion.code(of: SensorRegion.bounds.largest)
    return values
  }

  /// Takes the next frame: changes that have settled show in it.
  /// - Returns: How it was taken.
  mutating func takeFrame() -> (picture: PictureSettings, facts: FrameFacts) {
    sensor.takeFrame(descriptions.values)
    return (sensor.picture, sensor.facts)
  }

  /// Since when the flash has lit; nil if it does not light.
  func litSince(at time: MonotonicTime) -> MonotonicTime? {
    strobe.flatMap { $0.start <= time && time < $0.end ? $0.start : nil }
  }

  package subscript(control: SyntheticControl) -> Int64 {
    get { values[control, default: 0] }
    set { values[control] = newValue }
  }

  /// Whether the camera is plugged in.
  package func isConnected(at time: MonotonicTime) -> Bool { disconnectedUntil <= time }

  package func description(of control: SyntheticControl) -> ControlDescription {
    var description = descriptions[control] ?? control.staticDescription
    if isAutomatic(control) { description.flags.insert(.inactive) }
    return description
  }

  /// - Throws: `invalidArgument` for a button, which has no value.
  package func value(
    of control: SyntheticControl,
    at time: MonotonicTime
  ) throws(CaptureError) -> ControlValue {
    switch control {
    case .disconnect: return .boolean(!isConnected(at: time))
    case .disconnectFor: return .integer(millisecondsUntilConnected(at: time))
    case .strobeStatus: return .boolean(litSince(at: time) != nil)
    case .exposureTime, .gain, .whiteBalance:
      if isAutomatic(control) { return .integer(PictureSettings.automatic(control, values)) }
    default: break
    }
    switch description(of: control).kind {
    case .boolean: return .boolean(self[control] != 0)
    case .button:
      throw CaptureError(
        .invalidArgument,
        "'\(control.rawValue)' is a button: push it, it has no value to read",
        part: .control(ControlID(rawValue: control.rawValue))
      )
    case .array: return .array(SensorRegion.region(self[control]).elements)
    default: return .integer(self[control])
    }
  }

  /// Sets a control.
  ///
  /// - Returns: The value that took effect, and its effect on a running stream.
  /// - Throws: `invalidControlValue` or `controlNotWritable`, naming valid values.
  package mutating func set(
    _ value: ControlValue,
    of control: SyntheticControl,
    at time: MonotonicTime
  ) throws(CaptureError) -> (value: ControlValue, effect: Effect) {
    let checked = try description(of: control).checked(value)
    let number = checked.number
    switch control {
    case .region:
      self[control] = number
      sensor.set(control, to: number)
      return (.array(SensorRegion.region(number).elements), .none)
    case .disconnect:
      let end = MonotonicTime(nanoseconds: number == 0 ? .min : .max)
      return (checked, disconnect(until: end, at: time))
    case .disconnectFor:
      return (checked, disconnect(until: time + .milliseconds(number), at: time))
    case .fatalError:
      return (checked, .failed)
    case .strobe:
      try fire(at: time)
      return (checked, .none)
    case .doWhiteBalance:
      self[.whiteBalance] = PictureSettings.automatic(.whiteBalance, values)
      sensor.set(.whiteBalance, to: self[.whiteBalance])
      return (checked, .none)
    case .stopStrobe:
      strobe = nil
      return (checked, .none)
    case .busy, .stall:
      self[control] = number
      return (checked, number == 0 ? .returned : .none)
    default:
      self[control] = number
      if self[.ledMode] != SyntheticControl.LEDMode.flash.rawValue { strobe = nil }
      if control.isOfPicture || control == .temperature { sensor.set(control, to: number) }
      return (checked, .none)
    }
  }

  /// Whether an automatic sets the control now, or the automatic that it belongs to is off.
  private func isAutomatic(_ control: SyntheticControl) -> Bool {
    let isManual = self[.autoExposure] == SyntheticControl.ExposureMode.manual.rawValue
    return switch control {
    case .exposureTime, .gain: !isManual
    case .exposureBias: isManual
    case .whiteBalance: self[.autoWhiteBalance] != 0
    case .focus: self[.autoFocus] != 0
    default: false
    }
  }

  private mutating func fire(at time: MonotonicTime) throws(CaptureError) {
    guard self[.ledMode] == SyntheticControl.LEDMode.flash.rawValue else {
      throw CaptureError(
        .controlNotWritable, "the flash cannot be fired now: set led_mode to Flash first",
        part: .control(.init(rawValue: SyntheticControl.strobe.rawValue)))
    }
    self[.faults] = self[.flashFault]
    let end = time + .microseconds(self[.strobeTimeout])
    strobe = self[.faults] == 0 ? (time, end) : nil
  }

  /// Unplugs the camera, or plugs it in.
  private mutating func disconnect(until end: MonotonicTime, at time: MonotonicTime) -> Effect {
    disconnectedUntil = end
    guard !isConnected(at: time) else {
      if hasLostSettings { restoreDefaults() }
      return .returned
    }
    hasLostSettings = true
    return .disconnected
  }

  /// The controls of the picture of a camera that is plugged in again have their defaults.
  private mutating func restoreDefaults() {
    hasLostSettings = false
    strobe = nil
    let defaults = Self.defaults(descriptions)
    for control in SyntheticControl.allCases where control.isOfPicture {
      values[control] = defaults[control]
    }
    sensor.reset(values)
  }

  /// - Throws: `deviceNotFound` while the camera is unplugged.
  package mutating func checkConnection(at time: MonotonicTime) throws(CaptureError) {
    guard isConnected(at: time) else { throw Self.disconnection }
    if hasLostSettings { restoreDefaults() }
  }

  /// The time of an automatic reconnection. Nil if the camera is plugged in or if only `disconnect`
  /// can plug it in.
  package func reconnection(after time: MonotonicTime) -> MonotonicTime? {
    isConnected(at: time) || disconnectedUntil.nanoseconds == .max ? nil : disconnectedUntil
  }

  /// 0 if the camera is plugged in or if only `disconnect` can plug it in.
  private func millisecondsUntilConnected(at time: MonotonicTime) -> Int64 {
    guard let moment = reconnection(after: time) else { return 0 }
    return (moment.nanoseconds - time.nanoseconds + 999_999) / 1_000_000
  }
}

extension ControlValue {
  /// The value as these controls store it. Any value pushes a button and counts as 1.
  fileprivate var number: Int64 {
    switch self {
    case .integer(let number): number
    case .boolean(let isOn): isOn ? 1 : 0
    case .array(let elements): SensorRegion.code(of: elements)
    case .number, .point, .string, .bytes, .press: 1
    }
  }
}
