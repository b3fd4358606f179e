/// Whether a camera can take and keep a photo now, and if not, what it waits for. Open: more may
/// come, so a switch needs a default.
public struct Readiness: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name, which never changes.
  public let rawValue: String

  /// The value of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The session is stopped, interrupted or failed.
  public static let sessionNotRunning = Self(rawValue: "sessionNotRunning")
  /// A photo can be taken.
  public static let ready = Self(rawValue: "ready")
  /// Not for a moment: the session starts, or a request is on its way to the node.
  public static let notReadyMomentarily = Self(rawValue: "notReadyMomentarily")
  /// As many requests wait for their frame as the node allows, or as it allows this program.
  public static let notReadyWaitingForCapture = Self(rawValue: "notReadyWaitingForCapture")
  /// As many pictures are being encoded or stored as the node allows, or as it allows this program.
  public static let notReadyWaitingForProcessing = Self(rawValue: "notReadyWaitingForProcessing")
  /// The node's disk is full, or takes no more files. A photo that is not to be kept is taken all
  /// the same.
  public static let notReadyStorageFull = Self(rawValue: "notReadyStorageFull")
  /// No picture can be made of the frames in the camera's format, until it gets another.
  public static let notReadyUnsupportedFormat = Self(rawValue: "notReadyUnsupportedFormat")
  /// The node's library cannot be written: its folder is gone, or its disk is read-only, for
  /// example; `NodeStatus.library.error` says why. A photo that is not to be kept is taken all the
  /// same.
  public static let notReadyStorageFailed = Self(rawValue: "notReadyStorageFailed")
  /// The camera takes a photo of the largest size in another format, for some seconds at most.
  public static let notReadyChangingFormat = Self(rawValue: "notReadyChangingFormat")
  /// The photo would change the camera's controls or format, and another program has the camera's
  /// lease, or this program's lease has ended. Only ``Camera/readiness(for:isBracket:)`` says this.
  public static let notReadyLeased = Self(rawValue: "notReadyLeased")
  /// A newer node says something that this client does not know.
  public static let unknown = Self(rawValue: "unknown")

  /// The name.
  public var description: String { rawValue }
}
