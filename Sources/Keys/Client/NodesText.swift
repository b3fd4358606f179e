import ZeroMQ

/// The text of `nodes.yaml`: for each node a line with its name, and below it, indented, its
/// control endpoint and its key. Values may be quoted. It takes no other YAML, because a library
/// that does would bring Foundation into every client.
struct NodesText {
  /// By name.
  let nodes: [KnownNode]

  private struct Entry {
    let name: String
    let line: Int
    var facts: [String: String] = [:]
  }

  /// - Throws: `KeyError` that names the line.
  init(_ text: String) throws(KeyError) {
    var entries: [Entry] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let content = line.trimmed(" \t\r")
      guard !content.isEmpty, !content.hasPrefix("#") else { continue }
      let (name, value) = try Self.pair(content, index + 1)
      if line.hasPrefix(" ") {
        guard !entries.isEmpty, let value, ["control", "key"].contains(name),
          entries[entries.count - 1].facts.updateValue(value, forKey: name) == nil
        else { throw Self.mistake(index + 1) }
      } else {
        guard value == nil, !entries.contains(where: { $0.name == name }) else {
          throw Self.mistake(index + 1)
        }
        entries.append(Entry(name: name, line: index + 1))
      }
    }
    var nodes: [KnownNode] = []
    for entry in entries {
      guard let control = entry.facts["control"], let text = entry.facts["key"],
        let key = try? CurvePublicKey(z85: text)
      else { throw Self.mistake(entry.line) }
      nodes.append(try KnownNode(name: entry.name, control: control, key: key))
    }
    self.nodes = nodes.sorted { $0.name < $1.name }
  }

  /// Reads `name: value` or `name:`.
  private static func pair(
    _ content: Substring, _ line: Int
  ) throws(KeyError) -> (name: String, value: String?) {
    // A value may have colons, and a name has none.
    guard let colon = content.firstIndex(of: ":") else { throw mistake(line) }
    let value = content[content.index(after: colon)...]
    guard value.isEmpty || value.hasPrefix(" ") else { throw mistake(line) }
    let name = try unquoted(content[..<colon], line)
    return (name, value.isEmpty ? nil : try unquoted(value.trimmed(" "), line))
  }

  private static func unquoted(_ text: Substring, _ line: Int) throws(KeyError) -> String {
    for quote in ["'", "\""] where text.hasPrefix(quote) {
      guard text.count >= 2, text.hasSuffix(quote) else { throw mistake(line) }
      let inner = text.dropFirst().dropLast()
      guard !inner.contains(quote) else { throw mistake(line) }
      return String(inner)
    }
    // What YAML would take for something else than a text.
    guard let first = text.first, !"{[&*!|>%@`#-?,".contains(first) else { throw mistake(line) }
    return String(text)
  }

  private static func mistake(_ line: Int) -> KeyError {
    KeyError(
      "line \(line): a node is its name and a colon, and below it, indented, `control: ENDPOINT` and "
        + "`key: 'KEY'`: correct it, or delete the node there and add it again")
  }
}
