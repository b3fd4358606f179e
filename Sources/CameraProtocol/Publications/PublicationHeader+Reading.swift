extension PublicationHeader {
  /// Reads a header as Protobuf demands it: fields in any order, the last of several wins, unknown ones are passed over.
  ///
  /// - Throws: `tooLong`, `unreadable`.
  package init(reading bytes: RawSpan) throws(FramingError) {
    try Framing.check(byteCount: bytes.byteCount)
    self.init(epoch: Epoch(words: .init(high: 0, low: 0)), sequence: 0, sent: Moment())
    var hasEpoch = false
    var fields = FieldReader(bytes)
    while let field = try fields.next() {
      switch field {
      case .bytes(1): hasEpoch = readEpoch(try fields.bytes())
      case .varint(2): sequence = try fields.varint()
      case .bytes(3): try sent.read(try fields.bytes())
      case .bytes(4):
        var frame = self.frame ?? Frame()
        try frame.read(try fields.bytes())
        self.frame = frame
      default: try fields.skip(field)
      }
    }
    guard hasEpoch, sequence > 0, frame?.pixelFormat != .tooLong else {
      throw FramingError(
        .unreadable,
        "the header lacks an epoch of 16 bytes or a number, or names a pixel format of more than 16"
      )
    }
  }

  private mutating func readEpoch(_ bytes: RawSpan) -> Bool {
    guard let epoch = Epoch(reading: bytes) else { return false }
    self.epoch = epoch
    return true
  }
}

extension PublicationHeader.Moment {
  // Once in memory, though it is called in two places: see `FieldReader`.
  @inline(never)
  fileprivate mutating func read(_ bytes: RawSpan) throws(FramingError) {
    var fields = FieldReader(bytes)
    while let field = try fields.next() {
      switch field {
      case .varint(1): monotonic = Int64(bitPattern: try fields.varint())
      case .varint(2): wall = Int64(bitPattern: try fields.varint())
      case .varint(3): wallError = Int64(bitPattern: try fields.varint())
      default: try fields.skip(field)
      }
    }
  }
}

extension PublicationHeader.Frame {
  fileprivate mutating func read(_ bytes: RawSpan) throws(FramingError) {
    var fields = FieldReader(bytes)
    while let field = try fields.next() {
      switch field {
      case .varint(1): sequence = try fields.varint()
      case .bytes(2): try timestamp.read(try fields.bytes())
      case .varint(3): isStartOfExposure = try fields.varint() != 0
      case .bytes(4): try readSize(try fields.bytes())
      case .bytes(5): pixelFormat = try fields.pixelFormat()
      case .varint(6): bytesPerLine = UInt32(truncatingIfNeeded: try fields.varint())
      case .varint(7): dequeued = Int64(bitPattern: try fields.varint())
      case .varint(8): copied = Int64(bitPattern: try fields.varint())
      case .varint(9): encodeStarted = Int64(bitPattern: try fields.varint())
      case .varint(10): encodeFinished = Int64(bitPattern: try fields.varint())
      default: try fields.skip(field)
      }
    }
  }

  private mutating func readSize(_ bytes: RawSpan) throws(FramingError) {
    var fields = FieldReader(bytes)
    while let field = try fields.next() {
      switch field {
      case .varint(1): width = UInt32(truncatingIfNeeded: try fields.varint())
      case .varint(2): height = UInt32(truncatingIfNeeded: try fields.varint())
      default: try fields.skip(field)
      }
    }
  }
}

extension FieldReader {
  fileprivate mutating func pixelFormat() throws(FramingError) -> PixelFormatName {
    guard let name = PixelFormatName(reading: try bytes()) else { throw Self.unreadable }
    return name
  }
}
