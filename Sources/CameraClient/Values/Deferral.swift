import CameraProtocol

/// What has become of the final picture of a proxy. Open: more may come, so a switch needs a
/// default.
public struct Deferral: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It is still to be made.
  public static let pending = Self(rawValue: "pending")
  /// All files of it are in the library.
  public static let done = Self(rawValue: "done")
  /// It cannot be made: the proxy is all there is.
  public static let failed = Self(rawValue: "failed")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// The name.
  public var description: String { rawValue }
}

extension Deferral {
  /// Nil for an asset that is no proxy.
  init?(_ wire: WireDeferral) {
    switch wire {
    case .unspecified: return nil
    case .pending: self = .pending
    case .done: self = .done
    case .failed: self = .failed
    case .UNRECOGNIZED: self = .unknown
    }
  }

  /// Nil for one that no node can be asked for.
  var wire: WireDeferral? {
    switch self {
    case .pending: .pending
    case .done: .done
    case .failed: .failed
    default: nil
    }
  }
}
