/// Writes publications' headers, one after the other, into the same memory.
package struct HeaderWriter: Sendable {
  /// The header that was written last.
  package private(set) var bytes: [UInt8] = []

  package init() {
    bytes.reserveCapacity(256)
  }

  /// Writes a header as SwiftProtobuf would, byte for byte: fields by their numbers, without those that are 0.
  package mutating func write(_ header: PublicationHeader) {
    bytes.removeAll(keepingCapacity: true)
    put(tag: 1, kind: 2)
    bytes.append(16)
    put(header.epoch.words.high)
    put(header.epoch.words.low)
    put(2, header.sequence)
    message(3) { $0.put(header.sent) }
    if let frame = header.frame { message(4) { $0.put(frame) } }
  }

  private mutating func put(_ frame: PublicationHeader.Frame) {
    put(1, frame.sequence)
    message(2) { $0.put(frame.timestamp) }
    put(3, frame.isStartOfExposure ? 1 : 0)
    message(4) { writer in
      writer.put(1, UInt64(frame.width))
      writer.put(2, UInt64(frame.height))
    }
    put(5, frame.pixelFormat)
    put(6, UInt64(frame.bytesPerLine))
    put(7, UInt64(bitPattern: frame.dequeued))
    put(8, UInt64(bitPattern: frame.copied))
    put(9, UInt64(bitPattern: frame.encodeStarted))
    put(10, UInt64(bitPattern: frame.encodeFinished))
  }

  private mutating func put(_ moment: PublicationHeader.Moment) {
    put(1, UInt64(bitPattern: moment.monotonic))
    put(2, UInt64(bitPattern: moment.wall))
    put(3, UInt64(bitPattern: moment.wallError))
  }

  // MARK: Fields

  private mutating func put(_ number: UInt8, _ value: UInt64) {
    guard value != 0 else { return }
    put(tag: number, kind: 0)
    put(varint: value)
  }

  private mutating func put(_ number: UInt8, _ text: String) {
    guard !text.isEmpty else { return }
    put(tag: number, kind: 2)
    put(varint: UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func message(_ number: UInt8, _ body: (inout HeaderWriter) -> Void) {
    put(tag: number, kind: 2)
    let start = bytes.count
    bytes.append(0)
    body(&self)
    let count = bytes.count - start - 1
    bytes[start] = UInt8(truncatingIfNeeded: count) & 0x7F
    guard count > 0x7F else { return }
    // The length takes a second byte; no header is so long that it takes a third.
    precondition(count < 1 << 14, "a header of \(count) bytes")
    bytes[start] |= 0x80
    bytes.insert(UInt8(count >> 7), at: start + 1)
  }

  private mutating func put(tag number: UInt8, kind: UInt8) {
    bytes.append(number << 3 | kind)
  }

  private mutating func put(varint value: UInt64) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func put(_ word: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
