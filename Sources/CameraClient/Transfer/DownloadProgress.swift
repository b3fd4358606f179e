/// The progress of a download.
public struct DownloadProgress: Hashable, Sendable, Codable {
  /// Bytes received so far.
  public var byteCount: UInt64
  /// Bytes in all.
  public var total: UInt64

  /// The received part, 0 to 1.
  public var fraction: Double { total == 0 ? 1 : Double(byteCount) / Double(total) }
}
