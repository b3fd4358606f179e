import CLinux

/// Where a node is, as the domain name system says it (SRV, [RFC
/// 2782](https://www.rfc-editor.org/rfc/rfc2782)).
package struct ServiceRecord: Hashable, Sendable {
  /// The most records of a domain that are read.
  static let most = 64

  let priority: UInt16
  let weight: UInt16
  package let port: UInt16
  /// The machine's name, in letters, digits, `-` and `_`, and without the dot at its end.
  package let host: String

  /// The control endpoint.
  package var endpoint: String { "tcp://\(host):\(port)" }

  /// Reads an answer (RFC 1035, section 4), which may be anything.
  /// - Returns: The records that can be used, the preferred ones first. Nil if the answer is
  ///   broken.
  static func records(in answer: [UInt8]) -> [ServiceRecord]? {
    var reader = MessageReader(answer)
    guard reader.skip(4), let questions = reader.number(), let answers = reader.number(),
      reader.skip(4)
    else { return nil }
    // One is asked.
    guard questions <= 1 else { return nil }
    for _ in 0..<questions {
      guard reader.name() != nil, reader.skip(4) else { return nil }
    }
    var records: [ServiceRecord] = []
    // There may be some of other types, such as those that lead to the name.
    for _ in 0..<min(Int(answers), 4 * most) {
      guard reader.name() != nil, let type = reader.number(), let kind = reader.number(),
        reader.skip(4), let size = reader.number()
      else { return nil }
      let end = reader.position + Int(size)
      if type == 33, kind == 1 {
        guard let priority = reader.number(), let weight = reader.number(),
          let port = reader.number(), let labels = reader.name(), reader.position == end
        else { return nil }
        if port > 0, let host = host(labels), records.count < most {
          records.append(
            ServiceRecord(priority: priority, weight: weight, port: port, host: host))
        }
      }
      guard reader.move(to: end) else { return nil }
    }
    return Set(records).sorted {
      ($0.priority, $1.weight, $0.host, $0.port) < ($1.priority, $0.weight, $1.host, $1.port)
    }
  }

  /// Nil for a name that no machine has, and for the root, which says that there is no service.
  private static func host(_ labels: [ArraySlice<UInt8>]) -> String? {
    let isName = labels.allSatisfy { label in
      label.first != UInt8(ascii: "-")
        && label.allSatisfy { DomainName.isLetter($0) || $0 == UInt8(ascii: "_") }
    }
    guard !labels.isEmpty, isName else { return nil }
    return labels.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
  }
}

/// A domain in which nodes are looked for.
package struct DomainName: Hashable, Sendable, CustomStringConvertible {
  /// In lower case, and without the dot at its end.
  package let description: String

  /// Nil unless it is a name of the domain name system in ASCII.
  package init?(_ text: String) {
    let text = text.hasSuffix(".") ? text.dropLast() : text[...]
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    let isName = labels.allSatisfy { label in
      (1...63).contains(label.utf8.count) && !label.hasPrefix("-")
        && label.utf8.allSatisfy(Self.isLetter)
    }
    // With the name of the service in front it has at most 253 characters.
    guard isName, text.utf8.count + NodeAnnouncement.serviceType.utf8.count + 1 <= 253 else {
      return nil
    }
    description = text.lowercased()
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// What the name servers say.
  enum Answer: Hashable, Sendable {
    case records([ServiceRecord])
    /// They know of no node.
    case nothing
    /// None answers, or not as it should.
    case noServer
  }

  /// Asks the system's name servers. It blocks, at most some seconds for each of them.
  func services() -> Answer {
    var answer = [UInt8](repeating: 0, count: 65_535)
    let count = unsafe CLinux_queryServices(
      "\(NodeAnnouncement.serviceType).\(self).", &answer, Int32(answer.count), 2)
    guard count > 0 else { return count == 0 ? .nothing : .noServer }
    guard let records = ServiceRecord.records(in: Array(answer[..<Int(count)])) else {
      return .noServer
    }
    return records.isEmpty ? .nothing : .records(records)
  }
}

/// Reads a message of the domain name system (RFC 1035, section 4).
private struct MessageReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func skip(_ count: Int) -> Bool { move(to: position + count) }

  mutating func move(to position: Int) -> Bool {
    guard (self.position...bytes.count).contains(position) else { return false }
    self.position = position
    return true
  }

  mutating func number() -> UInt16? {
    guard position + 2 <= bytes.count else { return nil }
    defer { position += 2 }
    return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
  }

  /// The labels of a name. The rest of one may stand further in front, to which a pointer leads.
  mutating func name() -> [ArraySlice<UInt8>]? {
    var labels: [ArraySlice<UInt8>] = []
    var (place, length) = (position, 0)
    /// Where the message goes on behind the first pointer.
    var next: Int?
    while place < bytes.count {
      let size = Int(bytes[place])
      switch size {
      case 0:
        position = next ?? place + 1
        return labels
      case 1...63:
        guard place + 1 + size <= bytes.count else { return nil }
        labels.append(bytes[(place + 1)..<(place + 1 + size)])
        place += 1 + size
        length += 1 + size
        guard length < 255 else { return nil }
      case 0xC0...:
        guard place + 2 <= bytes.count else { return nil }
        let target = (size & 0x3F) << 8 | Int(bytes[place + 1])
        // Each leads further to the front, so they come to an end.
        guard target < place else { return nil }
        next = next ?? place + 2
        place = target
      default: return nil
      }
    }
    return nil
  }
}
