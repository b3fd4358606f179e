import OperatingSystem

/// A photo that was taken.
public struct Photo: Hashable, Sendable {
  /// The request that asked for it.
  public var requestID: Identifier
  /// The picture, a whole JPEG file. Its SHA-256 was checked.
  public var data: [UInt8]
  /// Which frame it is; nil where the node's answer was lost and the photo was found in the
  /// library.
  public var resolved: ResolvedCapture?
  /// The photo in the node's library; nil for a photo that is not kept.
  public var asset: Asset?
  /// The SHA-256 of the data, 64 hexadecimal digits.
  public var sha256: String
}

extension Photo {
  /// Writes the picture into a file, which is there whole or not at all.
  ///
  /// Links are followed, and a file that is replaced keeps its mode and owner. A device or a pipe
  /// is written into; a pipe without a reader is waited for. The disk's work is done on a thread of
  /// its own; the caller is suspended meanwhile.
  /// - Parameters:
  ///   - path: The file, device or pipe.
  ///   - overwrites: Whether a file that is there is replaced; otherwise it is `fileExists`.
  /// - Throws: `fileExists`, `storageFull`, `permissionDenied`, `storageFailed`; `conflict` while a
  ///   download writes the same file; `cancelled` when the task is while a device or a pipe lets it
  ///   wait.
  public func write(to path: String, overwrites: Bool = false) async throws(CameraBusError) {
    try await FileWriter.write(data, to: path, overwrites: overwrites)
  }
}
