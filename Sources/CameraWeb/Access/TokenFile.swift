import Digest
package import Keys

/// What a visitor may do. More is greater.
package enum WebRole: String, Comparable, CaseIterable, Sendable {
  /// See pictures, states, events and lists.
  case viewer
  /// Take photos, record, set controls, start and stop sessions, and download.
  case `operator`

  package static func < (left: WebRole, right: WebRole) -> Bool {
    left == .viewer && right == .operator
  }
}

/// The tokens that let visitors in, each with its role.
///
/// The file has one token a line, as `viewer TOKEN` or `operator TOKEN`; lines that begin with `#`
/// are comments. Only its user may read it.
package struct TokenFile: Sendable {
  /// How many characters a token has. 16 letters and digits at random cannot be guessed.
  static let lengths = 16...256
  private static let longestFile = 1 << 20

  private struct Entry {
    var role: WebRole
    var digest: SHA256Digest
  }

  private let entries: [Entry]

  /// - Throws: `KeyError`, which names the file and the line and does not repeat the token.
  package init(_ path: String) throws(KeyError) {
    let file = KeyFile(path)
    try file.requirePrivate(mode: "600", followsLinks: true)
    let bytes = try file.read(atMost: Self.longestFile)
    try self.init(text: String(decoding: bytes, as: UTF8.self), path: path)
  }

  init(text: String, path: String) throws(KeyError) {
    var entries: [Entry] = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard words.count == 2, let role = WebRole(rawValue: String(first)) else {
        throw KeyError("\(path):\(index + 1): write viewer or operator, and a token behind it")
      }
      guard Self.lengths.contains(words[1].utf8.count), words[1].utf8.allSatisfy(Self.isAllowed)
      else {
        throw KeyError(
          "\(path):\(index + 1): a token has \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) letters, digits "
            + "and -._~+/=, as openssl rand -hex 32 prints one")
      }
      let digest = Self.digest(of: words[1])
      guard !entries.contains(where: { $0.digest == digest }) else {
        throw KeyError("\(path):\(index + 1): this token is there twice: leave one out")
      }
      entries.append(Entry(role: role, digest: digest))
    }
    guard !entries.isEmpty else {
      throw KeyError("\(path) has no token: write a line such as `viewer $(openssl rand -hex 32)`")
    }
    self.entries = entries
  }

  /// What the token allows; nil if it is none of the file's.
  ///
  /// It takes the same time for every text of a length: digests are compared, all of them, and to
  /// their ends.
  func role(of token: some StringProtocol) -> WebRole? {
    let digest = Self.digest(of: token)
    var role: WebRole?
    for entry in entries {
      var difference: UInt8 = 0
      for (own, other) in zip(entry.digest.bytes, digest.bytes) { difference |= own ^ other }
      if difference == 0 { role = entry.role }
    }
    return role
  }

  private static func digest(of token: some StringProtocol) -> SHA256Digest {
    let bytes = Array(token.utf8)
    return unsafe SHA256.hash(of: bytes.span.bytes)
  }

  /// The characters of RFC 6750, which may stand in headers and cookies.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~+/=".utf8.contains(byte)
    }
  }
}
