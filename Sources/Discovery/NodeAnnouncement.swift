import CameraProtocol
import OperatingSystem

/// What a node says of itself on the network, as a service of DNS-SD ([RFC
/// 6763](https://www.rfc-editor.org/rfc/rfc6763)). A pure value.
///
/// Everybody in the network can read it, and anybody can say it.
package struct NodeAnnouncement: Hashable, Sendable {
  /// The type of the service.
  package static let serviceType = "_camerabus._tcp"
  /// The longest name of a service, in bytes (RFC 6763, section 4.1.1).
  static let serviceNameByteCount = 63
  /// The most entries of a TXT record that are looked at. A node sends five.
  static let mostEntries = 32
  /// The most characters of a name, as in a node's status.
  private static let nameLength = 64
  private static let releaseLength = 32

  /// The node's name; nil if it says none that can be shown.
  package let name: String?
  /// The version of the protocol; nil if the node says none.
  package let protocolVersion: Int?
  /// The release of CameraBus; nil if the node says none.
  package let release: String?
  package let key: AnnouncedKey

  /// What this release says.
  package init(name: String, key: AnnouncedKey) {
    self.name = name
    protocolVersion = Framing.version
    release = Release.version
    self.key = key
  }

  /// Reads the entries of a TXT record. What is missing, too long or wrong counts as not said.
  package init(entries: some Sequence<[UInt8]>) {
    var values: [String: String] = [:]
    for entry in entries.prefix(Self.mostEntries) {
      guard let separator = entry.firstIndex(of: UInt8(ascii: "=")),
        let value = String(validating: entry[(separator + 1)...], as: UTF8.self)
      else { continue }
      let key = String(decoding: entry[..<separator], as: UTF8.self).lowercased()
      // The first one counts (RFC 6763, section 6.4).
      if values[key] == nil { values[key] = value }
    }
    name = values["name"].flatMap { Self.shown($0, atMost: Self.nameLength) }
    release = values["release"].flatMap { Self.shown($0, atMost: Self.releaseLength) }
    protocolVersion = values["protocol"].flatMap { UInt16($0) }.map(Int.init)
    key =
      switch values["key"] {
      case "none"?: .none
      case let text?: KeyFingerprint(text).map(AnnouncedKey.fingerprint) ?? .unknown
      case nil: .unknown
      }
  }

  /// The entries of a TXT record.
  package var entries: [String] {
    let key: String? =
      switch key {
      case .fingerprint(let fingerprint): "key=\(fingerprint)"
      case .none: "key=none"
      case .unknown: nil
      }
    return [
      "txtvers=1", protocolVersion.map { "protocol=\($0)" }, release.map { "release=\($0)" },
      name.map { "name=\($0)" }, key,
    ].compactMap(\.self)
  }

  /// The name of the service: as much of the node's name as fits.
  package var serviceName: String {
    var text = ""
    for character in name ?? "" {
      guard text.utf8.count + character.utf8.count <= Self.serviceNameByteCount else { break }
      text.append(character)
    }
    return text
  }

  /// The text if it can be shown on one line and is not too long.
  static func shown(_ text: String, atMost length: Int) -> String? {
    text.utf8.count <= 4 * length && text.unicodeScalars.count <= length && text.isShownName
      ? text : nil
  }
}
