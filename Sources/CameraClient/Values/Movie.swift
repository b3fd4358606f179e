/// A movie that was recorded.
public struct Movie: Hashable, Sendable, Codable {
  /// Why a recording ended. Open: more reasons may come, so a switch needs a default.
  public struct EndReason: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name, which never changes: `limitReached`.
    public let rawValue: String

    /// The reason of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It was stopped.
    public static let stopped = Self(rawValue: "stopped")
    /// It reached the length or size that it was started with.
    public static let limitReached = Self(rawValue: "limitReached")
    /// The disk is full.
    public static let storageFull = Self(rawValue: "storageFull")
    /// The camera went away.
    public static let cameraLost = Self(rawValue: "cameraLost")
    /// The node was stopped.
    public static let nodeStopped = Self(rawValue: "nodeStopped")
    /// The disk failed.
    public static let storageFailed = Self(rawValue: "storageFailed")
    /// The node was killed; at its next start it found the movie and closed it.
    public static let nodeKilled = Self(rawValue: "nodeKilled")
    /// A newer node gives a reason that this client does not know.
    public static let unknown = Self(rawValue: "unknown")

    /// The name.
    public var description: String { rawValue }
  }

  /// The recording that made it.
  public var recordingID: Identifier
  /// The movie in the library.
  public var asset: Asset
  /// Frames in it.
  public var frames: UInt64
  /// Frames that the camera delivered while it recorded and that are not in it; nil where only the
  /// library was left to ask, which does not know.
  public var dropped: UInt64?
  /// Why it ended; nil where only the library was left to ask. The library knows only that a killed
  /// node's movie was closed at the next start, which is `nodeKilled`.
  public var reason: EndReason?
}

extension Movie {
  /// The movie as far as the library knows it.
  init(_ asset: Asset, of recording: Identifier) {
    self.init(
      recordingID: recording,
      asset: asset,
      frames: asset.frames,
      // The library marks nothing else as recovered.
      reason: asset.isRecovered ? .nodeKilled : nil
    )
  }
}

extension Movie: CustomStringConvertible {
  /// "cam/2026/….mkv, 150 frames (limitReached)".
  public var description: String {
    "\(asset.path), \(frames) frames" + (reason.map { " (\($0))" } ?? "")
  }
}
