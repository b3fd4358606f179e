/// A movie that was recorded.
public struct Movie: Hashable, Sendable, Codable {
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
