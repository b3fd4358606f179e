/// Writes TIFF streams with the low byte first (TIFF 6.0, section 2), as EXIF, TIFF and DNG have
/// them. All offsets are even.
///
/// The bytes of pictures follow everything else of their directory, so that readers of a stream
/// know the picture before it comes.
struct TIFFWriter {
  private var bytes: [UInt8] = [0x49, 0x49, 42, 0]

  /// - Parameter directories: The first one and those that are linked to it, in their order.
  /// - Returns: Less than 4 GiB, which the caller's sizes must ensure.
  static func write(_ directories: [TIFFDirectory]) -> [UInt8] {
    var writer = TIFFWriter()
    writer.bytes.reserveCapacity(
      directories.reduce(8) { sum, directory in sum + directory.maximumByteCount })
    var link = writer.bytes.count
    writer.append([0, 0, 0, 0])
    for directory in directories {
      link = writer.append(directory, linkedAt: link)
    }
    return writer.bytes
  }

  /// Appends a directory and all that belongs to it.
  /// - Parameter link: Where to write its offset.
  /// - Returns: Where to write the offset of the next directory.
  @discardableResult
  private mutating func append(_ directory: TIFFDirectory, linkedAt link: Int) -> Int {
    let entries = directory.entries
    let start = appendOffset(at: link)
    append(UInt16(entries.count).littleEndianBytes)
    bytes.append(contentsOf: repeatElement(0, count: 12 * entries.count + 4))
    // Where the values are, which blocks and directories need to set their offsets.
    var places: [Int] = []
    for (index, (tag, value)) in entries.enumerated() {
      let field = start + 2 + 12 * index
      put(tag.rawValue.littleEndianBytes + value.type.littleEndianBytes, at: field)
      put(UInt32(value.count).littleEndianBytes, at: field + 4)
      places.append(append(value, in: field + 8))
    }
    for (place, entry) in zip(places, entries) {
      if case .directory(let below) = entry.value { append(below, linkedAt: place) }
    }
    for (place, entry) in zip(places, entries) {
      guard case .blocks(let blocks) = entry.value else { continue }
      for (index, block) in blocks.enumerated() {
        appendOffset(at: place + 4 * index)
        bytes.append(contentsOf: block)
      }
    }
    return start + 2 + 12 * entries.count
  }

  /// Writes values into the four bytes of an entry, or after the directory if they need more.
  /// - Returns: Where they are.
  private mutating func append(_ value: TIFFValue, in field: Int) -> Int {
    let encoded = value.encoded
    if encoded.count <= 4 {
      put(encoded, at: field)
      return field
    }
    let place = appendOffset(at: field)
    append(encoded)
    return place
  }

  /// Writes the offset of what is appended next.
  @discardableResult
  private mutating func appendOffset(at field: Int) -> Int {
    if !bytes.count.isMultiple(of: 2) { bytes.append(0) }
    put(UInt32(bytes.count).littleEndianBytes, at: field)
    return bytes.count
  }

  private mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  private mutating func put(_ values: [UInt8], at place: Int) {
    bytes.replaceSubrange(place..<(place + values.count), with: values)
  }
}

extension TIFFDirectory {
  /// The most bytes that the directory takes with everything below it.
  fileprivate var maximumByteCount: Int {
    entries.reduce(8) { sum, entry in
      let below =
        switch entry.value {
        case .directory(let directory): directory.maximumByteCount
        case .blocks(let blocks): blocks.reduce(0) { $0 + $1.count + 1 }
        default: 0
        }
      return sum + 12 + entry.value.count * 8 + 1 + below
    }
  }
}
