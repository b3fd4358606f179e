import Glibc
import OperatingSystem

/// Finds the frames' stamps in a Matroska file (RFC 9559), and passes over everything else. What is
/// an MP4 is read by a ``FragmentReader``.
///
/// The file may be anything. A size in it is used only to pass over bytes; what is read has a known
/// small size.
struct MovieReader: ~Copyable, Sendable {
  /// The elements that matter here, with the bits that mark their length.
  private enum Element {
    static let header: UInt64 = 0x1A45_DFA3
    static let clusterTime: UInt64 = 0xE7
    static let block: UInt64 = 0xA1
    static let additional: UInt64 = 0xA5
    /// Segment, Cluster, BlockGroup, BlockAdditions and BlockMore. The elements inside follow.
    static let folders: Set<UInt64> = [0x1853_8067, 0x1F43_B675, 0xA0, 0x75A1, 0xA6]
  }

  /// Elements that are read at a time, so that a file without frames does not hold up its reader.
  private static let stride = 10_000
  /// "CBFRAME1".
  private static let mark: UInt64 = 0x4342_4652_414d_4531

  private let file: FileDescriptor
  private var position = 0
  /// The time of the cluster, and of the last block in it, in milliseconds.
  private var clusterTime: Int64 = 0
  private var blockTime: Int64 = 0
  /// Nil for a Matroska file.
  private var fragments: FragmentReader?

  private init(_ file: consuming FileDescriptor) {
    self.file = file
  }

  /// - Throws: `EILSEQ` for a file that is neither a Matroska file nor an MP4.
  static func open(_ path: String) throws(SystemError) -> MovieReader {
    var reader = MovieReader(
      try FileDescriptor(path, O_RDONLY | O_NOCTTY | O_NONBLOCK, followsLinks: true))
    if try reader.file.read(at: 4, count: 4).elementsEqual("ftyp".utf8) {
      reader.fragments = FragmentReader()
      return reader
    }
    let first = try reader.readElement()
    guard first?.element == Element.header else {
      throw SystemError(errno: EILSEQ, operation: "read \(path)")
    }
    reader.position = 0
    return reader
  }

  /// The frames among the next elements; nil at the file's end.
  mutating func nextFrames() throws(SystemError) -> [MovieFrame]? {
    if fragments != nil { return try fragments?.nextFrames(of: file) }
    var frames: [MovieFrame] = []
    for _ in 0..<Self.stride {
      guard let (element, size) = try readElement() else { return frames.isEmpty ? nil : frames }
      switch element {
      case Element.clusterTime where size <= 8:
        let bytes = try file.read(at: position, count: size)
        clusterTime = Int64(truncatingIfNeeded: Self.number(bytes))
      case Element.block where size >= 4:
        // The track's number takes one byte, because a movie of a node has two tracks at most.
        let bytes = try file.read(at: position, count: 3)
        let time = Int16(truncatingIfNeeded: Self.number(bytes.dropFirst()))
        blockTime = clusterTime &+ Int64(time)
      case Element.additional where size == 32:
        if let frame = frame(try file.read(at: position, count: 32)) { frames.append(frame) }
      default:
        break
      }
      if Element.folders.contains(element) { continue }
      let (end, isTooFar) = position.addingReportingOverflow(size)
      guard !isTooFar else { return frames.isEmpty ? nil : frames }
      position = end
    }
    return frames
  }

  private func frame(_ bytes: [UInt8]) -> MovieFrame? {
    guard bytes.count == 32, Self.number(bytes[..<8]) == Self.mark else { return nil }
    return MovieFrame(
      sequence: Self.number(bytes[8..<16]),
      monotonic: MonotonicInstant(nanoseconds: Int64(bitPattern: Self.number(bytes[16..<24]))),
      wall: WallInstant(nanoseconds: Int64(bitPattern: Self.number(bytes[24...]))),
      milliseconds: blockTime)
  }

  /// Reads an element's id and size, and stands behind them; nil at the file's end, and where no
  /// element can be.
  private mutating func readElement() throws(SystemError) -> (element: UInt64, size: Int)? {
    // An id takes up to four bytes and a size up to eight.
    let bytes = try file.read(at: position, count: 12)
    guard let first = bytes.first, first.leadingZeroBitCount < 4 else { return nil }
    let idCount = first.leadingZeroBitCount + 1
    guard bytes.count > idCount, bytes[idCount] != 0 else { return nil }
    let sizeCount = bytes[idCount].leadingZeroBitCount + 1
    guard bytes.count >= idCount + sizeCount else { return nil }
    let marked = Self.number(bytes[idCount..<idCount + sizeCount])
    position += idCount + sizeCount
    return (Self.number(bytes[..<idCount]), Int(marked & (1 << UInt64(7 * sizeCount) - 1)))
  }

  /// The number of these bytes, the highest first.
  private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
