/// What a frame's timestamp marks. Open: more may come, so a switch needs a default.
public struct TimestampMark: RawRepresentable, Hashable, Sendable, Codable,
  CustomStringConvertible
{
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The start of the exposure. A node says so only of cameras for which it has evidence.
  public static let exposureStart = Self(rawValue: "exposureStart")
  /// The end of the frame: its last pixel was read out.
  public static let frameEnd = Self(rawValue: "frameEnd")
  /// The arrival of the frame's first bytes at the node's machine.
  public static let arrival = Self(rawValue: "arrival")
  /// The moment at which the node took the frame from the driver, which gives no usable time.
  public static let dequeue = Self(rawValue: "dequeue")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// The name.
  public var description: String { rawValue }
}
