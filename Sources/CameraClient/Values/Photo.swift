/// A photo that was taken.
public struct Photo: Hashable, Sendable {
  /// The request that asked for it.
  public var requestID: Identifier
  /// The picture, a whole JPEG file. Its SHA-256 was checked.
  public var data: [UInt8]
  /// Which frame it is.
  public var resolved: ResolvedCapture
  /// What the library keeps of it; nil for a photo that is not kept.
  public var asset: Asset?
  /// The SHA-256 of the data, 64 hexadecimal digits.
  public var sha256: String
}

extension Photo {
  /// Writes the picture into a file, which is there whole or not at all; one that is there is replaced.
  ///
  /// - Throws: `storageFull`, `permissionDenied`, `storageFailed`.
  public func write(to path: String) throws(CameraBusError) {
    var file = try WholeFile(path)
    try file.write(unsafe data.span.bytes)
    try file.commit()
  }
}
