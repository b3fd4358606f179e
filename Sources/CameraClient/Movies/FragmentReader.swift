import OperatingSystem

/// Finds the frames' stamps in a fragmented MP4 (ISO/IEC 14496-12) of H.264, where each picture has
/// its own in a remark, and passes over everything else.
///
/// The file may be anything. A size in it is used only to pass over bytes; what is read has a known
/// small size.
struct FragmentReader: Sendable {
  /// Boxes that are read at a time, so that a file without frames does not hold up its reader.
  private static let stride = 10_000
  /// The largest table of samples that is read: of a million.
  private static let largestTable = 16 << 20
  /// The most pictures of a fragment.
  private static let mostSamples = 1 << 20
  /// Units of a picture before its first slice.
  private static let mostUnits = 16
  /// Boxes with boxes inside, which follow.
  private static let folders: Set<String> = ["moov", "trak", "mdia", "moof", "traf"]
  /// The type and size of a remark, and its id: "CBFRAME1" and eight bytes more.
  private static let remark: [UInt8] = [
    5, 40, 0x43, 0x42, 0x46, 0x52, 0x41, 0x4d, 0x45, 0x31, 0x8e, 0x3c, 0x27, 0xd1, 0x5e, 0x9a, 0x4b,
    0x96,
  ]

  private struct Sample {
    var offset: Int
    var size: Int
    var time: Int64
  }

  private var position = 0
  /// The steps of the file's times, in a second.
  private var ticksPerSecond: Int64 = 1000
  /// The track that is described, and its steps.
  private var track: UInt64 = 0
  private var ticksOfTrack: Int64 = 1000
  /// The track of the pictures; nil until it is known.
  private var videoTrack: UInt64?
  /// Whether a table is of pictures.
  private var isVideo = true
  private var fragment = 0
  private var time: Int64 = 0
  private var duration: Int64 = 0
  private var size = 0
  private var samples: [Sample] = []

  /// The frames of the next boxes; nil at the file's end.
  mutating func nextFrames(of file: borrowing FileDescriptor) throws(SystemError) -> [MovieFrame]? {
    for _ in 0..<Self.stride {
      guard let (kind, content, end) = try box(of: file) else { return nil }
      if Self.folders.contains(kind) {
        if kind == "moof" { (fragment, samples) = (position, []) }
        position = content
        continue
      }
      let size = end - content
      position = end
      switch kind {
      case "tkhd": readTrack(try file.read(at: content, count: min(size, 24)))
      case "hdlr": readHandler(try file.read(at: content, count: min(size, 12)))
      case "mdhd": try readTimescale(try file.read(at: content, count: min(size, 24)))
      case "tfhd": readHeader(try file.read(at: content, count: min(size, 32)))
      case "tfdt": readTime(try file.read(at: content, count: min(size, 12)))
      case "trun" where isVideo && size <= Self.largestTable:
        readTable(try file.read(at: content, count: size))
      case "mdat":
        var frames: [MovieFrame] = []
        for sample in samples where sample.offset >= content && sample.size <= end - sample.offset {
          if let frame = try frame(of: sample, in: file) { frames.append(frame) }
        }
        samples = []
        return frames
      default: break
      }
    }
    return []
  }

  /// The next box, without moving; nil where none begins, and where it is cut off.
  private func box(
    of file: borrowing FileDescriptor
  ) throws(SystemError) -> (kind: String, content: Int, end: Int)? {
    let bytes = try file.read(at: position, count: 16)
    guard bytes.count >= 8 else { return nil }
    let kind = String(decoding: bytes[4..<8], as: UTF8.self)
    let short = Int(Self.number(bytes[..<4]))
    let isLong = short == 1
    guard !isLong || bytes.count == 16,
      let size = isLong ? Int(exactly: Self.number(bytes[8...])) : short,
      size >= (isLong ? 16 : 8)
    else { return nil }
    let (end, isTooFar) = position.addingReportingOverflow(size)
    // A media box that is cut off has pictures that are cut off.
    guard !isTooFar else { return nil }
    if kind == "mdat", try file.read(at: end - 1, count: 1).isEmpty { return nil }
    return (kind, position + (isLong ? 16 : 8), end)
  }

  private mutating func readTimescale(_ bytes: [UInt8]) throws(SystemError) {
    let place = bytes.first == 1 ? 20 : 12
    guard bytes.count >= place + 4 else { return }
    ticksOfTrack = max(1, Int64(Self.number(bytes[place..<place + 4])))
  }

  private mutating func readTrack(_ bytes: [UInt8]) {
    let place = bytes.first == 1 ? 20 : 12
    guard bytes.count >= place + 4 else { return }
    track = Self.number(bytes[place..<place + 4])
  }

  /// Says what the track is that has the last ``readTrack(_:)``.
  private mutating func readHandler(_ bytes: [UInt8]) {
    guard videoTrack == nil, bytes.count == 12, bytes[8...].elementsEqual("vide".utf8) else {
      return
    }
    (videoTrack, ticksPerSecond) = (track, ticksOfTrack)
  }

  private mutating func readHeader(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return }
    let flags = Self.number(bytes[1..<4])
    isVideo = videoTrack == nil || Self.number(bytes[4..<8]) == videoTrack
    guard isVideo else { return }
    var place = 8
    if flags & 1 != 0 { place += 8 }
    if flags & 2 != 0 { place += 4 }
    (duration, size) = (0, 0)
    if flags & 8 != 0, bytes.count >= place + 4 {
      duration = Int64(Self.number(bytes[place..<place + 4]))
      place += 4
    }
    if flags & 16 != 0, bytes.count >= place + 4 {
      size = Int(Self.number(bytes[place..<place + 4]))
    }
  }

  private mutating func readTime(_ bytes: [UInt8]) {
    let count = bytes.first == 1 ? 8 : 4
    guard isVideo, bytes.count >= 4 + count else { return }
    time = Int64(bitPattern: Self.number(bytes[4..<4 + count]))
  }

  private mutating func readTable(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return }
    let flags = Self.number(bytes[1..<4])
    let count = Int(Self.number(bytes[4..<8]))
    var place = 8
    var offset = fragment
    if flags & 1 != 0 {
      guard bytes.count >= place + 4 else { return }
      offset += Int(Int32(truncatingIfNeeded: Self.number(bytes[place..<place + 4])))
      place += 4
    }
    if flags & 4 != 0 { place += 4 }
    let fields = [0x100, 0x200, 0x400, 0x800].map { flags & $0 != 0 }
    let entry = fields.count { $0 } * 4
    guard count <= Self.mostSamples - samples.count,
      count * entry <= max(0, bytes.count - place)
    else { return }
    for _ in 0..<count {
      var (ownDuration, ownSize) = (duration, size)
      if fields[0] {
        ownDuration = Int64(Self.number(bytes[place..<place + 4]))
        place += 4
      }
      if fields[1] {
        ownSize = Int(Self.number(bytes[place..<place + 4]))
        place += 4
      }
      place += (fields[2] ? 4 : 0) + (fields[3] ? 4 : 0)
      samples.append(Sample(offset: offset, size: ownSize, time: time))
      offset = offset &+ ownSize
      time = time &+ ownDuration
    }
  }

  /// Reads the units before a picture's first slice.
  private func frame(
    of sample: Sample, in file: borrowing FileDescriptor
  ) throws(SystemError) -> MovieFrame? {
    var offset = sample.offset
    let end = sample.offset + sample.size
    for _ in 0..<Self.mostUnits where offset + 5 <= end {
      let bytes = try file.read(at: offset, count: min(end - offset, 5 + 2 * 42))
      guard bytes.count > 5 else { return nil }
      let length = Int(Self.number(bytes[..<4]))
      guard length > 0, length <= end - offset - 4, !(1...5).contains(bytes[4] & 0x1f) else {
        return nil
      }
      if bytes[4] == 6, let frame = frame(Array(bytes[5...].prefix(length - 1)), at: sample.time) {
        return frame
      }
      offset += 4 + length
    }
    return nil
  }

  private func frame(_ unit: [UInt8], at time: Int64) -> MovieFrame? {
    var bytes: [UInt8] = []
    var zeros = 0
    for byte in unit {
      // The byte that keeps a unit from looking like a start code.
      if zeros == 2, byte == 3 {
        zeros = 0
        continue
      }
      bytes.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    let begin = Self.remark.count
    guard bytes.starts(with: Self.remark), bytes.count >= begin + 24 else { return nil }
    func word(_ index: Int) -> UInt64 {
      Self.number(bytes[begin + 8 * index..<begin + 8 * index + 8])
    }
    let milliseconds = (Double(time) * 1000 / Double(ticksPerSecond)).rounded()
    return MovieFrame(
      sequence: word(0),
      monotonic: MonotonicInstant(nanoseconds: Int64(bitPattern: word(1))),
      wall: WallInstant(nanoseconds: Int64(bitPattern: word(2))),
      milliseconds: Int64(exactly: milliseconds) ?? 0)
  }

  /// The number of these bytes, the highest first.
  private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
