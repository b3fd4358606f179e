/// When a frame was captured by the camera's own clock, and where that moment lies on the node's.
public struct DeviceTime: Hashable, Sendable, Codable {
  /// The way in which the clocks were compared. Open: more may come, so a switch needs a default.
  public struct Basis: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, which never changes.
    public let rawValue: String

    /// The basis of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The camera and the node count the same frames of the USB bus.
    public static let usbFrames = Self(rawValue: "usbFrames")
    /// The camera's packets arrive after they were stamped, and the fastest of them soon.
    public static let arrival = Self(rawValue: "arrival")
    /// From a later node.
    public static let unknown = Self(rawValue: "unknown")
  }

  /// The camera's clock when it began to capture the frame, in ticks of a length that only the
  /// camera knows. It wraps around.
  public var ticks: UInt32
  /// The same moment on the node's monotonic clock: the middle of what is possible.
  public var monotonicNanoseconds: Int64
  /// The moment lies at most this far from ``monotonicNanoseconds``.
  public var errorNanoseconds: UInt64
  /// How the clocks were compared.
  public var basis: Basis
}
