/// Writes publications' headers, one after the other, into the same memory.
package struct HeaderWriter: Sendable {
  // No header is longer: some fifteen numbers of at most eleven bytes with their tags, and a format's name.
  private var memory = InlineArray<256, UInt8>(repeating: 0)
  private var count = 0

  package init() {}

  /// The header that was written last.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get { unsafe memory.span.bytes.extracting(0..<count) }
  }

  /// Writes a header as SwiftProtobuf would, byte for byte: fields by their numbers, without those that are 0.
  package mutating func write(_ header: PublicationHeader) {
    count = 0
    put(tag: 1, kind: 2)
    put(16)
    put(word: header.epoch.words.high)
    put(word: header.epoch.words.low)
    put(2, header.sequence)
    put(3, header.sent)
    if let frame = header.frame { put(4, frame) }
  }

  private mutating func put(_ number: UInt8, _ frame: PublicationHeader.Frame) {
    let start = beginMessage(number)
    put(1, frame.sequence)
    put(2, frame.timestamp)
    put(3, frame.isStartOfExposure ? 1 : 0)
    let size = beginMessage(4)
    put(1, UInt64(frame.width))
    put(2, UInt64(frame.height))
    endMessage(size)
    put(5, frame.pixelFormat)
    put(6, UInt64(frame.bytesPerLine))
    put(7, UInt64(bitPattern: frame.dequeued))
    put(8, UInt64(bitPattern: frame.copied))
    put(9, UInt64(bitPattern: frame.encodeStarted))
    put(10, UInt64(bitPattern: frame.encodeFinished))
    endMessage(start)
  }

  @inline(never)
  private mutating func put(_ number: UInt8, _ moment: PublicationHeader.Moment) {
    let start = beginMessage(number)
    put(1, UInt64(bitPattern: moment.monotonic))
    put(2, UInt64(bitPattern: moment.wall))
    put(3, UInt64(bitPattern: moment.wallError))
    endMessage(start)
  }

  private mutating func put(_ number: UInt8, _ name: PixelFormatName) {
    guard name.byteCount > 0 else { return }
    put(tag: number, kind: 2)
    put(name.byteCount)
    for index in 0..<Int(name.byteCount) { put(name[index]) }
  }

  // MARK: Fields, each function once in memory: code that is cold is slow by its size

  @inline(never)
  private mutating func put(_ number: UInt8, _ value: UInt64) {
    guard value != 0 else { return }
    put(tag: number, kind: 0)
    var rest = value
    while rest > 0x7F {
      put(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    put(UInt8(truncatingIfNeeded: rest))
  }

  @inline(never)
  private mutating func put(word: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      put(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  /// - Returns: Where its length is to stand.
  private mutating func beginMessage(_ number: UInt8) -> Int {
    put(tag: number, kind: 2)
    put(0)
    return count - 1
  }

  @inline(never)
  private mutating func endMessage(_ start: Int) {
    let length = count - start - 1
    memory[start] = UInt8(truncatingIfNeeded: length) & 0x7F
    guard length > 0x7F else { return }
    // The length takes a second byte, and no header is so long that it takes a third.
    memory[start] |= 0x80
    put(0)
    for index in stride(from: count - 1, to: start + 1, by: -1) {
      memory[index] = memory[index - 1]
    }
    memory[start + 1] = UInt8(length >> 7)
  }

  private mutating func put(tag number: UInt8, kind: UInt8) {
    put(number << 3 | kind)
  }

  private mutating func put(_ byte: UInt8) {
    memory[count] = byte
    count += 1
  }
}
