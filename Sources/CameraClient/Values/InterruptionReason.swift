/// Why a session is interrupted. Open: more may come, so a switch needs a default.
public struct InterruptionReason: RawRepresentable, Hashable, Sendable, Codable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The device was unplugged.
  public static let deviceDisconnected = Self(rawValue: "deviceDisconnected")
  /// Another program has the device.
  public static let deviceInUseByAnotherClient = Self(rawValue: "deviceInUseByAnotherClient")
  /// The device is there and delivers no frames.
  public static let deviceStalled = Self(rawValue: "deviceStalled")
  /// The machine is too hot or too hard pressed: see ``SystemPressure``.
  public static let systemPressure = Self(rawValue: "systemPressure")
  /// Reserved. A full disk ends recordings and keeps cameras from being ready, and interrupts none.
  public static let storageFull = Self(rawValue: "storageFull")
  /// Reserved. Another program has the microphone.
  public static let audioDeviceInUse = Self(rawValue: "audioDeviceInUse")
  /// An operator suspended it.
  public static let suspendedByOperator = Self(rawValue: "suspendedByOperator")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// The name.
  public var description: String { rawValue }
}
