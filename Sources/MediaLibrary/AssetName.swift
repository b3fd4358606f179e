import Digest
import OperatingSystem
import Words

/// What the name of an asset's file says: see ``LibraryLayout``.
struct AssetName: Hashable, Sendable {
  let camera: String
  /// Nanoseconds since 1970, to a millisecond.
  let createdAt: Int64
  /// The first bytes of the asset's id.
  let idPrefix: [UInt8]
  let part: AssetPart?
  let mediaType: MediaType

  /// Nil for a name that the library does not give.
  init?(_ name: String) {
    let form =
      /([A-Za-z0-9_\-]{1,32})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\.\d{3}Z)-([0-9a-f]{8})(?:\.(depth|matte|live))?\.([a-z0-9]+)/
    guard let match = name.wholeMatch(of: form)?.output,
      let createdAt = WallTime.nanoseconds(
        parsing: "\(match.2)-\(match.3)-\(match.4)T\(match.5):\(match.6):\(match.7)\(match.8)"),
      let idPrefix = [UInt8](hexadecimal: String(match.9)),
      let mediaType = MediaType.allCases.first(where: { $0.fileExtension == match.11 })
    else { return nil }
    camera = String(match.1)
    self.createdAt = createdAt
    self.idPrefix = idPrefix
    part = match.10.flatMap { AssetPart(rawValue: String($0)) }
    self.mediaType = mediaType
  }

  /// - Parameter path: Below the library's folder. The name in it is of the camera and the day of
  ///   its folders.
  init?(ofFileAt path: String) {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count == 3, let name = AssetName(parts[2]),
      name.camera.lowercased() == parts[0].lowercased()
    else { return nil }
    self = name
  }

  /// The same id for the same file whenever the index is made again.
  /// - Parameter path: Below the library's folder.
  func id(sha256: SHA256Digest, path: String) -> AssetID {
    let bytes = sha256.bytes + Array(path.utf8)
    let digest = bytes.withBytes { SHA256.hash(of: $0) }
    return AssetID(bytes: idPrefix + digest.bytes.prefix(AssetID.byteCount - idPrefix.count))
      ?? AssetID()
  }

  /// A new id that goes with the name.
  func id() -> AssetID? {
    AssetID(bytes: idPrefix + AssetID().bytes.dropFirst(idPrefix.count))
  }
}
