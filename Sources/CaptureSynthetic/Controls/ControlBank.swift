package import Capture
package import EventLoop

/// The values of a synthetic camera's controls and what follows from them; a pure value.
package struct ControlBank: Sendable {
  /// What setting a control does to a running stream, or to who waits for the camera.
  package enum Effect: Hashable, Sendable {
    case none
    case disconnected
    case failed
    /// What kept the camera from being had is over.
    case returned
  }

  private var values: [SyntheticControl: Int64]
  private let descriptions: [SyntheticControl: ControlDescription]
  /// Until when the camera is unplugged; in the past when it is plugged in.
  private var disconnectedUntil = MonotonicTime(nanoseconds: .min)

  package init() {
    let described = SyntheticControl.allCases.map { ($0, $0.staticDescription) }
    descriptions = Dictionary(uniqueKeysWithValues: described)
    values = descriptions.mapValues(\.defaultValue)
  }

  package subscript(control: SyntheticControl) -> Int64 {
    get { values[control, default: 0] }
    set { values[control] = newValue }
  }

  /// Whether the camera is plugged in.
  package func isConnected(at time: MonotonicTime) -> Bool { disconnectedUntil <= time }

  package func description(of control: SyntheticControl) -> ControlDescription {
    var description = descriptions[control] ?? control.staticDescription
    if control == .exposureTime || control == .gain, !isExposureManual {
      description.flags.insert(.inactive)
    }
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
    default: break
    }
    switch description(of: control).kind {
    case .boolean: return .boolean(self[control] != 0)
    case .button:
      throw CaptureError(
        .invalidArgument,
        "'\(control.rawValue)' is a button: push it, it has no value to read",
        field: control.rawValue
      )
    default: return .integer(self[control])
    }
  }

  /// Sets a control.
  ///
  /// - Returns: The value that took effect, and what it does to a running stream.
  /// - Throws: `invalidControlValue` or `controlNotWritable`, naming what would do.
  package mutating func set(
    _ value: ControlValue,
    of control: SyntheticControl,
    at time: MonotonicTime
  ) throws(CaptureError) -> (value: ControlValue, effect: Effect) {
    let checked = try description(of: control).checked(value)
    let number = checked.number
    switch control {
    case .disconnect:
      let end = MonotonicTime(nanoseconds: number == 0 ? .min : .max)
      return (checked, disconnect(until: end, at: time))
    case .disconnectFor:
      return (checked, disconnect(until: time + .milliseconds(number), at: time))
    case .fatalError:
      return (checked, .failed)
    case .busy, .stall:
      self[control] = number
      return (checked, number == 0 ? .returned : .none)
    default:
      self[control] = number
      return (checked, .none)
    }
  }

  /// Pulls the plug, whereupon the picture's controls forget what they were set to, or puts it in again.
  private mutating func disconnect(until end: MonotonicTime, at time: MonotonicTime) -> Effect {
    disconnectedUntil = end
    guard !isConnected(at: time) else { return .returned }
    for control in SyntheticControl.allCases where control.isOfPicture {
      values[control] = descriptions[control]?.defaultValue
    }
    return .disconnected
  }

  /// When the camera will be plugged in again; nil when it is, and when nothing but `disconnect` itself will do that.
  package func reconnection(after time: MonotonicTime) -> MonotonicTime? {
    isConnected(at: time) || disconnectedUntil.nanoseconds == .max ? nil : disconnectedUntil
  }

  /// 0 when the camera is plugged in, and when nothing but `disconnect` itself will put it in again.
  private func millisecondsUntilConnected(at time: MonotonicTime) -> Int64 {
    guard let moment = reconnection(after: time) else { return 0 }
    return (moment.nanoseconds - time.nanoseconds + 999_999) / 1_000_000
  }
}

extension ControlValue {
  /// The value as these controls store it; 1 for whatever a button was pushed with.
  fileprivate var number: Int64 {
    switch self {
    case .integer(let number): number
    case .boolean(let isOn): isOn ? 1 : 0
    case .string, .array, .bytes: 1
    }
  }
}
