import Glibc

/// The title and the keywords in an XMP packet that ``XMP`` has written, wherever it is in a file.
struct XMPText {
  let description: String?
  let keywords: [String]

  /// Nil if there is no packet.
  init?(in bytes: [UInt8]) {
    let whole = bytes[...]
    guard let packet = whole.between("<x:xmpmeta", "</x:xmpmeta>"), packet.count <= 1 << 16 else {
      return nil
    }
    description = packet.between("<dc:description>", "</dc:description>")?
      .between("xml:lang=\"x-default\">", "</rdf:li>").flatMap(Self.text)
    var words: [String] = []
    if var list = packet.between("<dc:subject>", "</dc:subject>") {
      while let item = list.between("<rdf:li>", "</rdf:li>"),
        words.count < PhotoFacts.maximumKeywordCount
      {
        if let word = Self.text(item) { words.append(word) }
        list = list[item.endIndex...]
      }
    }
    keywords = words
  }

  /// The text that XML's references stand for in `bytes` (XML 1.0, section 4.6).
  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&apos;", with: "'")
      .replacing("&amp;", with: "&")
  }
}

extension ArraySlice<UInt8> {
  /// What is between the first place of one text and the next one of another.
  fileprivate func between(_ start: String, _ end: String) -> ArraySlice<UInt8>? {
    guard let start = range(of: start), let end = self[start.upperBound...].range(of: end) else {
      return nil
    }
    return self[start.upperBound..<end.lowerBound]
  }

  /// The first place of a text.
  func range(of text: String) -> Range<Int>? {
    let pattern = Array(text.utf8)
    guard let first = pattern.first else { return nil }
    let offset = unsafe withUnsafeBytes { bytes -> Int? in
      guard let start = bytes.baseAddress else { return nil }
      var place = 0
      while place <= bytes.count - pattern.count,
        let found = unsafe memchr(start + place, Int32(first), bytes.count - place)
      {
        place = unsafe UnsafeRawPointer(found) - start
        guard place <= bytes.count - pattern.count else { return nil }
        if unsafe memcmp(start + place, pattern, pattern.count) == 0 { return place }
        place += 1
      }
      return nil
    }
    return offset.map { startIndex + $0..<startIndex + $0 + pattern.count }
  }
}
