/// Reads TIFF streams, apart from the code that writes them. It refuses whatever TIFF 6.0 does not
/// allow in a stream with the low byte first.
struct TIFFReader {
  struct Malformed: Error {
    var reason: String
  }

  struct Entry {
    var type: Int
    var count: Int
    /// The values as they are in the file.
    var bytes: [UInt8]
    /// Where they are.
    var place: Int

    /// Whole numbers without a sign.
    var numbers: [Int] {
      switch type {
      case 1, 2, 7: bytes.map(Int.init)
      case 3: stride(from: 0, to: bytes.count, by: 2).map { bytes.littleEndian($0, 2) }
      case 4: stride(from: 0, to: bytes.count, by: 4).map { bytes.littleEndian($0, 4) }
      default: []
      }
    }

    /// Numerators and denominators.
    var fractions: [[Int]] {
      guard type == 5 || type == 10 else { return [] }
      return stride(from: 0, to: bytes.count, by: 8).map { start in
        [start, start + 4].map { place in
          let number = bytes.littleEndian(place, 4)
          return type == 10 ? Int(Int32(truncatingIfNeeded: number)) : number
        }
      }
    }

    /// The text before the zero byte, which must be the last one.
    var text: String? {
      guard type == 2, bytes.firstIndex(of: 0) == bytes.count - 1 else { return nil }
      return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
  }

  typealias Directory = [Int: Entry]

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) throws {
    guard bytes.count >= 8, bytes.starts(with: [0x49, 0x49, 42, 0]) else {
      throw Malformed(reason: "no header")
    }
    self.bytes = bytes
  }

  /// The first directory and those that are linked to it.
  func directories() throws -> [Directory] {
    var (directories, offset): ([Directory], Int) = ([], bytes.littleEndian(4, 4))
    while offset != 0 {
      guard directories.count < 10 else { throw Malformed(reason: "directories in a circle") }
      let (directory, next) = try directory(at: offset)
      directories.append(directory)
      offset = next
    }
    return directories
  }

  /// A directory whose offset is the value of an entry.
  func directory(_ tag: Int, of directory: Directory) throws -> Directory {
    guard let entry = directory[tag], entry.type == 4, entry.count == 1 else {
      throw Malformed(reason: "no directory \(tag)")
    }
    let (below, next) = try self.directory(at: entry.numbers[0])
    guard next == 0 else { throw Malformed(reason: "a directory after \(tag)") }
    return below
  }

  /// The bytes of strips or of a thumbnail, one after the other.
  func blocks(_ offsets: Int, _ counts: Int, of directory: Directory) throws -> [[UInt8]] {
    guard let offsets = directory[offsets]?.numbers, let counts = directory[counts]?.numbers,
      offsets.count == counts.count
    else { throw Malformed(reason: "no blocks") }
    return try zip(offsets, counts).map { try Array(bytes[range($0, $1)]) }
  }

  private func directory(at offset: Int) throws -> (Directory, next: Int) {
    let count = try number(offset, 2)
    var (directory, last): (Directory, Int) = ([:], -1)
    for index in 0..<count {
      let field = offset + 2 + 12 * index
      let tag = try number(field, 2)
      guard tag > last else { throw Malformed(reason: "the tag \(tag) comes after \(last)") }
      last = tag
      directory[tag] = try entry(field)
    }
    return (directory, try number(offset + 2 + 12 * count, 4))
  }

  private func entry(_ field: Int) throws -> Entry {
    let (type, count) = (try number(field + 2, 2), try number(field + 4, 4))
    guard let size = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8][type] else {
      throw Malformed(reason: "the type \(type)")
    }
    let isInside = count * size <= 4
    let place = isInside ? field + 8 : try number(field + 8, 4)
    if isInside {
      let rest = bytes[try range(place + count * size, 4 - count * size, isAnywhere: true)]
      guard rest.allSatisfy({ $0 == 0 }) else { throw Malformed(reason: "a value without zeros") }
    }
    return Entry(
      type: type, count: count, bytes: Array(bytes[try range(place, count * size)]), place: place)
  }

  private func number(_ place: Int, _ size: Int) throws -> Int {
    bytes.littleEndian(try range(place, size).lowerBound, size)
  }

  private func range(_ place: Int, _ count: Int, isAnywhere: Bool = false) throws -> Range<Int> {
    guard place >= 8, place + count <= bytes.count, isAnywhere || place.isMultiple(of: 2) else {
      throw Malformed(reason: "\(count) bytes at \(place) of \(bytes.count)")
    }
    return place..<(place + count)
  }
}

extension [UInt8] {
  func littleEndian(_ place: Int, _ count: Int) -> Int {
    self[place..<(place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
