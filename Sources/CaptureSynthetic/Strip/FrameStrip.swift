package import OperatingSystem

/// The content of the machine-readable strip at the bottom of a synthetic picture, which identifies
/// the frame.
///
/// It has 160 bits, the highest first, as black (0) and white (1) cells over the whole width: a
/// magic number (16), the frame's number (64), its timestamp in nanoseconds (64) and a checksum of
/// these (CRC-16/CCITT-FALSE). The picture's tone, zoom, blur and flips do not affect the strip. In
/// pictures at least 160 pixels wide it stays readable after JPEG of quality 50 and scaling to one
/// half.
package struct FrameStrip: Hashable, Sendable {
  /// The sequence number of the frame.
  package var number: UInt64
  /// The timestamp that the camera gave the frame.
  package var timestamp: MonotonicTime

  package init(number: UInt64, timestamp: MonotonicTime) {
    self.number = number
    self.timestamp = timestamp
  }

  static let byteCount = 20
  static let magic: UInt16 = 0xCB4D

  typealias Bytes = [20 of UInt8]

  /// The strip's bits as bytes, big-endian.
  var bytes: Bytes {
    var bytes = Bytes(repeating: 0)
    Self.write(UInt64(Self.magic), count: 2, at: 0, into: &bytes)
    Self.write(number, count: 8, at: 2, into: &bytes)
    Self.write(UInt64(bitPattern: timestamp.nanoseconds), count: 8, at: 10, into: &bytes)
    Self.write(UInt64(Self.checkSum(of: bytes)), count: 2, at: 18, into: &bytes)
    return bytes
  }

  /// Returns nil if the magic number or the checksum is wrong.
  init?(bytes: Bytes) {
    guard Self.read(count: 2, at: 0, from: bytes) == Self.magic,
      Self.read(count: 2, at: 18, from: bytes) == Self.checkSum(of: bytes)
    else { return nil }
    number = Self.read(count: 8, at: 2, from: bytes)
    timestamp = MonotonicTime(
      nanoseconds: Int64(bitPattern: Self.read(count: 8, at: 10, from: bytes))
    )
  }

  private static func write(_ value: UInt64, count: Int, at start: Int, into bytes: inout Bytes) {
    for place in 0..<count {
      bytes[start + place] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - place)))
    }
  }

  private static func read(count: Int, at start: Int, from bytes: Bytes) -> UInt64 {
    (0..<count).reduce(0) { $0 << 8 | UInt64(bytes[start + $1]) }
  }

  /// CRC-16/CCITT-FALSE over all bytes before the checksum.
  private static func checkSum(of bytes: Bytes) -> UInt16 {
    (0..<(byteCount - 2)).reduce(0xFFFF) { sum, index in
      (0..<8).reduce(sum ^ UInt16(bytes[index]) << 8) { sum, _ in
        sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021
      }
    }
  }
}

extension FrameStrip {
  func paint(with raster: BlockRaster, into memory: inout MutableRawSpan) {
    let geometry = StripGeometry(width: raster.columns * 2)
    let bytes = bytes
    for cell in 0..<(Self.byteCount * 8) {
      let isWhite = bytes[cell / 8] >> UInt8(7 - cell % 8) & 1 == 1
      let rect = geometry.rect(of: cell, columns: raster.columns, rows: raster.rows)
      raster.fill(rect, with: isWhite ? .white : .black, in: &memory)
    }
  }
}
