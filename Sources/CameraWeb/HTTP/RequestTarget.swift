import HTTPTypes

/// The path and the query of a request, decoded and checked. Pure.
struct RequestTarget: Hashable, Sendable {
  /// The most bytes of a target.
  static let longest = 4096
  /// The most names in a query.
  private static let mostNames = 32

  /// The parts of the path, behind the gateway's prefix.
  let path: [String]
  /// The values by their names.
  let query: [String: String]

  /// - Parameter prefix: The path below which the gateway stands: its parts.
  /// - Throws: `malformed` for what is no path, or could mean another one to another program;
  ///   `noSuchPage` for a path that is not below the prefix.
  init(_ text: String, below prefix: [String] = []) throws(HTTPFailure) {
    guard text.utf8.count <= Self.longest else {
      throw HTTPFailure(
        .uriTooLong, "malformed", "the address has more than \(Self.longest) bytes")
    }
    guard text.hasPrefix("/") else {
      throw HTTPFailure(.badRequest, "malformed", "the address does not begin with a slash")
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    let segments = parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    for segment in segments {
      let name = try Self.decoded(segment)
      guard name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")) else {
        throw HTTPFailure(.badRequest, "malformed", "the path has a part that leads elsewhere")
      }
      path.append(name)
    }
    // "/" and "/cameras/" are the pages of their folders.
    if path.last == "" { path.removeLast() }
    guard path.starts(with: prefix), !path.contains("") else { throw .noSuchPage }
    self.path = Array(path.dropFirst(prefix.count))
    query = try Self.query(parts.count > 1 ? parts[1] : "")
  }

  private static func query(_ text: Substring) throws(HTTPFailure) -> [String: String] {
    var query: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try decoded(sides[0])
      guard query.count < mostNames else {
        throw HTTPFailure(.badRequest, "malformed", "the query has more than \(mostNames) names")
      }
      let value = sides.count > 1 ? try decoded(sides[1]) : ""
      guard query.updateValue(value, forKey: name) == nil else {
        throw HTTPFailure(
          .badRequest, "invalidArgument", "\(name) is there twice: leave one out", field: name)
      }
    }
    return query
  }

  /// The text with the bytes that `%41` and the like stand for (RFC 3986). A plus is a plus.
  private static func decoded(_ text: Substring) throws(HTTPFailure) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let digits = String(rest.prefix(2)), digits.utf8.count == 2,
        digits.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
        let value = UInt8(digits, radix: 16)
      else {
        throw HTTPFailure(.badRequest, "malformed", "a percent sign needs two digits behind it")
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self),
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
    else {
      throw HTTPFailure(
        .badRequest, "malformed", "the address has bytes that are no text, or control characters")
    }
    return decoded
  }
}

extension RequestTarget {
  /// Refuses a query with other names, so that a misspelt one does not count as left out.
  func requireQuery(of names: Set<String>) throws(HTTPFailure) {
    guard let other = query.keys.sorted().first(where: { !names.contains($0) }) else { return }
    throw HTTPFailure(
      .badRequest, "invalidArgument",
      names.isEmpty
        ? "there is no query here, and \(other) is one"
        : "\(other) is not among the names of this query: \(names.sorted().joined(separator: ", "))",
      field: other)
  }
}
