extension String {
  /// The text as EXIF can hold it: its printable ASCII characters, with a question mark for each
  /// other one. Control characters and spaces at the ends are left out. Nil if nothing remains.
  func asciiText(maximumCount: Int) -> String? {
    let characters = unicodeScalars.lazy.filter { !$0.isControl }.prefix(maximumCount).map {
      $0.isASCII ? UInt8($0.value) : UInt8(ascii: "?")
    }
    var text = Array(characters.drop { $0 == UInt8(ascii: " ") })
    while text.last == UInt8(ascii: " ") { text.removeLast() }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }

  /// The text as XML can hold it between two tags: escaped, without control characters and without
  /// the characters that XML 1.0 excludes. Nil if nothing remains.
  func xmlText(maximumCount: Int) -> String? {
    var text = ""
    let characters = unicodeScalars.lazy.filter { !$0.isControl && !$0.isExcludedFromXML }
    for character in characters.prefix(maximumCount) {
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      default: text.unicodeScalars.append(character)
      }
    }
    return text.isEmpty ? nil : text
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool { value < 0x20 || (0x7f..<0xa0).contains(value) }
  fileprivate var isExcludedFromXML: Bool { value == 0xfffe || value == 0xffff }
}
