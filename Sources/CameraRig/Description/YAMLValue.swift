/// A value of a text in YAML, with its line.
struct YAMLValue {
  indirect enum Content {
    /// There is no value.
    case none
    case text(String)
    case list([YAMLValue])
    /// In the order of the text; each key occurs once.
    case mapping([(key: String, line: Int, value: YAMLValue)])
  }

  var content: Content
  var line: Int

  var text: String? { if case .text(let text) = content { text } else { nil } }
  var list: [YAMLValue]? { if case .list(let list) = content { list } else { nil } }
  var mapping: [(key: String, line: Int, value: YAMLValue)]? {
    if case .mapping(let mapping) = content { mapping } else { nil }
  }
}

/// Reads the YAML that people write for settings: keys and lists by indentation or in brackets, so
/// JSON too, texts with or without quotes, and comments. It takes no anchors, tags, and texts of
/// several lines. A library that does would bring Foundation into every program. Pure.
struct YAMLReader {
  private struct Line {
    var number: Int
    var indent: Int
    /// Without indentation, comment and blanks at the end.
    var text: [UInt8]
  }

  /// How deep lists and keys may nest.
  private static let deepest = 64

  private var lines: [Line] = []
  private var position = 0
  /// Within a value in brackets: the place in the present line.
  private var offset = 0

  /// - Returns: Nil for a text without a value.
  static func read(_ text: String) throws(RigMistake) -> YAMLValue? {
    var reader = try YAMLReader(text)
    guard reader.position < reader.lines.count else { return nil }
    let value = try reader.block(depth: 0)
    if let line = reader.present {
      throw no("begin lines that belong together with as many spaces", line)
    }
    return value
  }

  private init(_ text: String) throws(RigMistake) {
    for (index, line) in text.utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    )
    .enumerated() {
      let indent = line.prefix { $0 == UInt8(ascii: " ") }.count
      let content = Self.content(line.dropFirst(indent))
      guard let first = content.first else { continue }
      let number = index + 1
      if indent == 0, content == Array("---".utf8), lines.isEmpty { continue }
      if first == UInt8(ascii: "\t") {
        throw RigMistake("this line begins with a tab: begin it with spaces", line: number)
      }
      lines.append(Line(number: number, indent: indent, text: content))
    }
  }

  /// A line without its comment and the blanks at its end.
  private static func content(_ line: some Collection<UInt8>) -> [UInt8] {
    var content: [UInt8] = []
    var (quote, before): (UInt8?, UInt8?)
    var (isEscaped, hasEnded) = (false, false)
    for byte in line where byte != UInt8(ascii: "\r") {
      let isDoubled = hasEnded && byte == UInt8(ascii: "'")
      hasEnded = false
      if let open = quote {
        if byte == open, !isEscaped { (quote, hasEnded) = (nil, open == UInt8(ascii: "'")) }
        isEscaped = open == UInt8(ascii: "\"") && byte == UInt8(ascii: "\\") && !isEscaped
      } else if byte == UInt8(ascii: "#"), isBlank(content.last) {
        break
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        // Elsewhere it is a part of a word.
        if isDoubled || before.map({ "[{,:-".utf8.contains($0) }) ?? true { quote = byte }
      }
      if !isBlank(byte) { before = byte }
      content.append(byte)
    }
    while let last = content.last, isBlank(last) { content.removeLast() }
    return content
  }

  private static func isBlank(_ byte: UInt8?) -> Bool {
    byte.map { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ?? true
  }

  private static func no(_ remedy: String, _ line: Line) -> RigMistake {
    RigMistake("this line is no YAML: \(remedy)", line: line.number)
  }

  private var present: Line? { position < lines.count ? lines[position] : nil }

  // MARK: By indentation

  /// The value that begins with the present line.
  private mutating func block(depth: Int) throws(RigMistake) -> YAMLValue {
    let line = lines[position]
    guard depth < Self.deepest else {
      throw RigMistake(
        "lists and keys nest too deep here: a rig has five levels", line: line.number)
    }
    if Self.isItem(line) { return try list(at: line, depth) }
    if Self.key(of: line.text) != nil { return try mapping(at: line, depth) }
    return try scalar(line.text, depth)
  }

  private static func isItem(_ line: Line) -> Bool {
    line.text.first == UInt8(ascii: "-") && (line.text.count == 1 || isBlank(line.text[1]))
  }

  private mutating func list(at first: Line, _ depth: Int) throws(RigMistake) -> YAMLValue {
    var items: [YAMLValue] = []
    while let line = present, line.indent == first.indent, Self.isItem(line) {
      let rest = line.text.dropFirst().drop { Self.isBlank($0) }
      if rest.isEmpty {
        position += 1
        items.append(try value(below: line, allowsList: false, depth))
      } else {
        // What follows the dash is as if it stood there alone.
        lines[position].indent += line.text.count - rest.count
        lines[position].text = Array(rest)
        items.append(try block(depth: depth + 1))
      }
    }
    try requireEnd(of: first)
    return YAMLValue(content: .list(items), line: first.number)
  }

  private mutating func mapping(at first: Line, _ depth: Int) throws(RigMistake) -> YAMLValue {
    var entries: [(key: String, line: Int, value: YAMLValue)] = []
    while let line = present, line.indent == first.indent, !Self.isItem(line) {
      guard let (bytes, rest) = Self.key(of: line.text) else {
        throw Self.no("write KEY: VALUE", line)
      }
      let key = try Self.word(bytes, line)
      guard !entries.contains(where: { $0.key == key }) else {
        throw RigMistake("'\(key)' is there twice: leave one of them out", line: line.number)
      }
      let value: YAMLValue
      if rest.isEmpty {
        position += 1
        value = try self.value(below: line, allowsList: true, depth)
      } else {
        value = try scalar(Array(rest), depth + 1)
      }
      entries.append((key, line.number, value))
    }
    try requireEnd(of: first)
    return YAMLValue(content: .mapping(entries), line: first.number)
  }

  /// The value in the lines below one, if they belong to it.
  private mutating func value(
    below line: Line, allowsList: Bool, _ depth: Int
  ) throws(RigMistake) -> YAMLValue {
    if let next = present,
      next.indent > line.indent || allowsList && next.indent == line.indent && Self.isItem(next)
    {
      return try block(depth: depth + 1)
    }
    return YAMLValue(content: .none, line: line.number)
  }

  private func requireEnd(of first: Line) throws(RigMistake) {
    guard let line = present, line.indent > first.indent else { return }
    throw Self.no("begin lines that belong together with as many spaces", line)
  }

  /// The key of `KEY: VALUE` or `KEY:`, and the value's text; nil for another line.
  private static func key(of text: [UInt8]) -> (key: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    guard let first = text.first, !"[{".utf8.contains(first) else { return nil }
    var start = 0
    if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
      guard let end = text.dropFirst().firstIndex(of: first) else { return nil }
      start = end + 1
    }
    for index in text.indices.dropFirst(start) where text[index] == UInt8(ascii: ":") {
      guard index + 1 == text.count || isBlank(text[index + 1]) else { continue }
      return (text[..<index], text[(index + 1)...].drop { isBlank($0) })
    }
    return nil
  }

  // MARK: Texts and brackets

  /// The text, or the value in brackets, that begins in the present line and ends with a line.
  private mutating func scalar(_ text: [UInt8], _ depth: Int) throws(RigMistake) -> YAMLValue {
    let line = lines[position]
    guard let first = text.first, "[{".utf8.contains(first) else {
      position += 1
      let isNothing = text == Array("~".utf8) || text == Array("null".utf8)
      return YAMLValue(
        content: isNothing ? .none : .text(try Self.word(text[...], line)), line: line.number)
    }
    lines[position].text = text
    offset = 0
    let value = try flow(depth: depth)
    if let rest = present, offset > 0 {
      guard offset == rest.text.count else {
        throw Self.no("end the line behind its bracket", rest)
      }
      position += 1
    }
    return value
  }

  /// The next byte within brackets that is no blank; nil at the end of the text.
  private mutating func next() -> UInt8? {
    while let line = present {
      while offset < line.text.count, Self.isBlank(line.text[offset]) { offset += 1 }
      if offset < line.text.count { return line.text[offset] }
      guard position + 1 < lines.count else { return nil }
      (position, offset) = (position + 1, 0)
    }
    return nil
  }

  private var line: Line { lines[min(position, lines.count - 1)] }

  private mutating func flow(depth: Int) throws(RigMistake) -> YAMLValue {
    guard depth < Self.deepest else {
      throw RigMistake(
        "lists and keys nest too deep here: a rig has five levels", line: line.number)
    }
    guard let first = next() else { throw Self.no("close its bracket", line) }
    let number = line.number
    switch first {
    case UInt8(ascii: "["):
      var items: [YAMLValue] = []
      try elements(until: UInt8(ascii: "]")) { (reader) throws(RigMistake) in
        items.append(try reader.flow(depth: depth + 1))
      }
      return YAMLValue(content: .list(items), line: number)
    case UInt8(ascii: "{"):
      var entries: [(key: String, line: Int, value: YAMLValue)] = []
      try elements(until: UInt8(ascii: "}")) { (reader) throws(RigMistake) in
        let line = reader.line
        let key = try reader.flowWord()
        guard reader.next() == UInt8(ascii: ":") else { throw Self.no("write KEY: VALUE", line) }
        reader.offset += 1
        guard !entries.contains(where: { $0.key == key }) else {
          throw RigMistake("'\(key)' is there twice: leave one of them out", line: line.number)
        }
        entries.append((key, line.number, try reader.flow(depth: depth + 1)))
      }
      return YAMLValue(content: .mapping(entries), line: number)
    default:
      let word = try flowWord()
      let isNothing = word == "null" && first == UInt8(ascii: "n")
      return YAMLValue(content: isNothing ? .none : .text(word), line: number)
    }
  }

  /// Reads what stands between brackets, with commas between.
  private mutating func elements(
    until end: UInt8, _ element: (inout YAMLReader) throws(RigMistake) -> Void
  ) throws(RigMistake) {
    offset += 1
    while true {
      guard let byte = next() else { throw Self.no("close its bracket", line) }
      if byte == end { break }
      try element(&self)
      guard let byte = next() else { throw Self.no("close its bracket", line) }
      if byte == end { break }
      guard byte == UInt8(ascii: ",") else { throw Self.no("write a comma between values", line) }
      offset += 1
    }
    offset += 1
  }

  /// A text within brackets.
  private mutating func flowWord() throws(RigMistake) -> String {
    guard let first = next() else { throw Self.no("close its bracket", line) }
    let (line, start) = (line, offset)
    if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") {
      offset = try Self.endOfQuotes(line.text, start, line)
    } else {
      while offset < line.text.count {
        let byte = line.text[offset]
        let isEnd = offset + 1 == line.text.count
        if ",[]{}".utf8.contains(byte) { break }
        if byte == UInt8(ascii: ":"), isEnd || Self.isBlank(line.text[offset + 1]) { break }
        offset += 1
      }
    }
    var word = line.text[start..<offset]
    while let last = word.last, Self.isBlank(last) { word.removeLast() }
    return try Self.word(word, line)
  }

  /// The place behind the quote that ends a text.
  private static func endOfQuotes(
    _ text: [UInt8], _ start: Int, _ line: Line
  ) throws(RigMistake) -> Int {
    let quote = text[start]
    var index = start + 1
    while index < text.count {
      if text[index] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        index += 1
      } else if text[index] == quote {
        guard quote == UInt8(ascii: "'"), index + 1 < text.count, text[index + 1] == quote else {
          return index + 1
        }
        index += 1
      }
      index += 1
    }
    throw no("end the text with its quote in the same line", line)
  }

  /// The text of a word, with or without quotes.
  private static func word(_ bytes: ArraySlice<UInt8>, _ line: Line) throws(RigMistake) -> String {
    let text = Array(bytes)
    guard let first = text.first else { throw no("write a value", line) }
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      guard try endOfQuotes(text, 0, line) == text.count else {
        throw no("end the value behind its quote", line)
      }
      let inner = String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
      if first == UInt8(ascii: "'") { return inner.replacing("''", with: "'") }
      return try unescaped(inner, line)
    case _ where "&*!|>%@`".utf8.contains(first):
      throw no("a rig has no anchors, tags and long texts; write other values in quotes", line)
    default: return String(decoding: text, as: UTF8.self)
    }
  }

  /// The text of JSON's escapes.
  private static func unescaped(_ text: String, _ line: Line) throws(RigMistake) -> String {
    var (result, rest) = ("", text.unicodeScalars[...])
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "n"?: result += "\n"
      case "t"?: result += "\t"
      case "\""?: result += "\""
      case "\\"?: result += "\\"
      case "/"?: result += "/"
      case "u"?:
        guard rest.count >= 4,
          let code = UInt32(String(String.UnicodeScalarView(rest.prefix(4))), radix: 16),
          let scalar = UnicodeScalar(code)
        else { throw no("write the character itself", line) }
        result.unicodeScalars.append(scalar)
        rest = rest.dropFirst(4)
      default: throw no(#"of escapes there are \n, \t, \", \\, \/ and \u0000"#, line)
      }
    }
    return result
  }
}
