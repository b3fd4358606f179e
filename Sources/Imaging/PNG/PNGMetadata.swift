/// What a PNG says beside its samples.
package struct PNGMetadata: Hashable, Sendable {
  /// A keyword and a text for programs to look up.
  package struct Text: Hashable, Sendable {
    /// 1 to 79 printable characters of Latin-1, without spaces at the ends or in a row.
    package var keyword: String
    /// Characters of Latin-1.
    package var text: String

    package init(_ keyword: String, _ text: String) {
      self.keyword = keyword
      self.text = text
    }
  }

  /// A TIFF stream of EXIF, which begins with its byte order; empty for none.
  package var exif: [UInt8]
  /// A packet of XMP in UTF-8; empty for none.
  package var xmp: [UInt8]
  package var texts: [Text]

  package init(exif: [UInt8] = [], xmp: [UInt8] = [], texts: [Text] = []) {
    self.exif = exif
    self.xmp = xmp
    self.texts = texts
  }

  /// The names and bytes of the chunks that hold the metadata (PNG specification, third edition,
  /// 11.3).
  /// - Throws: `invalidMetadata`.
  func chunks() throws(ImagingError) -> [(name: String, bytes: [UInt8])] {
    var chunks: [(name: String, bytes: [UInt8])] = []
    if !exif.isEmpty {
      guard exif.starts(with: "II*\0".utf8) || exif.starts(with: "MM\0*".utf8) else {
        throw ImagingError(.invalidMetadata, "EXIF begins with II*, or with MM and a zero and *")
      }
      chunks.append(("eXIf", exif))
    }
    if !xmp.isEmpty {
      // Behind the keyword: not compressed, no language, no translated keyword.
      chunks.append(("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp))
    }
    for text in texts {
      chunks.append(("tEXt", try text.keywordBytes() + [0] + text.textBytes()))
    }
    return chunks
  }
}

extension PNGMetadata.Text {
  fileprivate func keywordBytes() throws(ImagingError) -> [UInt8] {
    let bytes = keyword.latin1 ?? []
    let isPrintable = bytes.allSatisfy { (32...126).contains($0) || $0 >= 161 }
    guard (1...79).contains(bytes.count), isPrintable, bytes.first != 32, bytes.last != 32,
      !keyword.contains("  ")
    else {
      throw ImagingError(
        .invalidMetadata, "\"\(keyword)\" is no keyword of a PNG: write 1 to 79 Latin characters")
    }
    return bytes
  }

  fileprivate func textBytes() throws(ImagingError) -> [UInt8] {
    guard let bytes = text.latin1, !bytes.contains(0) else {
      throw ImagingError(
        .invalidMetadata, "the text of \(keyword) has characters that are not in Latin-1")
    }
    return bytes
  }
}

extension String {
  /// The text in Latin-1 (ISO 8859-1); nil if it has other characters.
  fileprivate var latin1: [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
