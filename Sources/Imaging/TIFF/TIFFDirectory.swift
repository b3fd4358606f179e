/// A TIFF directory: its entries by their tags. A directory may hold further ones and the bytes of
/// a picture.
struct TIFFDirectory: Hashable, Sendable {
  private var values: [TIFFTag: TIFFValue] = [:]

  /// Setting nil leaves the entry out.
  subscript(tag: TIFFTag) -> TIFFValue? {
    get { values[tag] }
    set { values[tag] = newValue }
  }

  var isEmpty: Bool { values.isEmpty }

  /// The entries in the order of the file.
  var entries: [(tag: TIFFTag, value: TIFFValue)] {
    values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
