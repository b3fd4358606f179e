/// The complete fragments of an MP4 that may be cut off anywhere.
struct Fragments {
  /// Boxes that a movie of a century would not have.
  private static let maximumBoxes = 1 << 24

  /// Where each fragment begins, in the order of the file.
  private(set) var starts: [Int] = []
  /// Where the last complete one ends; where the header ends if there is none.
  private(set) var end = 0

  /// - Throws: `storageFailed` when the file cannot be read.
  init(ofFileAt path: String, byteCount: Int) throws(RecordingError) {
    var offset = 0
    var start: Int?
    for _ in 0..<Self.maximumBoxes {
      guard let box = try Self.box(of: path, at: offset), box.size <= byteCount - offset else {
        return
      }
      switch box.kind {
      case "moof": start = offset
      case "mdat":
        if let begun = start {
          starts.append(begun)
          end = offset + box.size
        }
        start = nil
      case "ftyp", "moov": end = offset + box.size
      default: break
      }
      offset += box.size
    }
  }

  /// The start of the fragment that a place of the file lies in; nil if it lies in none.
  func start(before place: Int) -> Int? {
    starts.last { $0 <= place }
  }

  /// - Returns: Nil where no box begins.
  private static func box(
    of path: String, at offset: Int
  ) throws(RecordingError) -> (kind: String, size: Int)? {
    let bytes = try Disk.read(path, at: offset, count: 16)
    guard bytes.count >= 8 else { return nil }
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    let kind = String(decoding: bytes[4..<8], as: UTF8.self)
    let short = number(0..<4)
    guard short != 1 else {
      guard bytes.count == 16, let size = Int(exactly: number(8..<16)), size >= 16 else {
        return nil
      }
      return (kind, size)
    }
    return short >= 8 ? (kind, Int(short)) : nil
  }
}
