/// Writes publications' headers, one after the other, into the same memory.
package struct HeaderWriter: Sendable {
  // No header fills it: some fifteen numbers of at most eleven bytes with their tags, and a format's name.
  private var fields = FieldWriter()

  package init() {}

  /// The header that was written last.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get { fields.bytes }
  }

  /// Writes a header as SwiftProtobuf would, byte for byte.
  package mutating func write(_ header: PublicationHeader) {
    fields.clear()
    let epoch = fields.beginMessage(1)
    put(word: header.epoch.words.high)
    put(word: header.epoch.words.low)
    fields.endMessage(epoch)
    fields.put(2, header.sequence)
    put(3, header.sent)
    if let frame = header.frame { put(4, frame) }
  }

  private mutating func put(_ number: UInt8, _ frame: PublicationHeader.Frame) {
    let start = fields.beginMessage(number)
    fields.put(1, frame.sequence)
    put(2, frame.timestamp)
    fields.put(3, frame.isStartOfExposure ? 1 : 0)
    let size = fields.beginMessage(4)
    fields.put(1, UInt64(frame.width))
    fields.put(2, UInt64(frame.height))
    fields.endMessage(size)
    put(5, frame.pixelFormat)
    fields.put(6, UInt64(frame.bytesPerLine))
    fields.put(7, UInt64(bitPattern: frame.dequeued))
    fields.put(8, UInt64(bitPattern: frame.copied))
    fields.put(9, UInt64(bitPattern: frame.encodeStarted))
    fields.put(10, UInt64(bitPattern: frame.encodeFinished))
    fields.endMessage(start)
  }

  @inline(never)
  private mutating func put(_ number: UInt8, _ moment: PublicationHeader.Moment) {
    let start = fields.beginMessage(number)
    fields.put(1, UInt64(bitPattern: moment.monotonic))
    fields.put(2, UInt64(bitPattern: moment.wall))
    fields.put(3, UInt64(bitPattern: moment.wallError))
    fields.endMessage(start)
  }

  private mutating func put(_ number: UInt8, _ name: PixelFormatName) {
    guard name.byteCount > 0 else { return }
    let start = fields.beginMessage(number)
    for index in 0..<Int(name.byteCount) { fields.put(name[index]) }
    fields.endMessage(start)
  }

  @inline(never)
  private mutating func put(word: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      fields.put(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
