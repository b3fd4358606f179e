/// How far a download has come.
public struct DownloadProgress: Hashable, Sendable, Codable {
  /// Bytes that are here.
  public var byteCount: UInt64
  /// Bytes there are.
  public var total: UInt64

  /// The part that is here, 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(byteCount) / Double(total) }
}
