extension PublicationHeader {
  /// Reads a header by Protobuf's rules: fields in any order, the last of several wins, unknown
  /// ones are skipped.
  ///
  /// - Throws: `tooLong`, `unreadable`.
  package init(reading bytes: RawSpan) throws(FramingError) {
    try Framing.check(byteCount: bytes.byteCount)
    self.init(epoch: Epoch(words: .init(high: 0, low: 0)), sequence: 0, sent: Moment())
    var hasEpoch = false
    var fields = FieldReader(bytes)
    while let field = try fields.next() {
      switch field {
      case .bytes(HeaderField.epoch.rawValue): hasEpoch = readEpoch(try fields.bytes())
      case .varint(HeaderField.sequence.rawValue): sequence = try fields.varint()
      case .bytes(HeaderField.sent.rawValue): try sent.read(try fields.bytes())
      case .bytes(HeaderField.frame.rawValue):
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
  // Out of line, because it is called in two places: see `FieldReader`.
  @inline(never)
  fileprivate mutating func read(_ bytes: RawSpan) throws(FramingError) {
    var fields = FieldReader(bytes)
    while let field = try fields.next() {
      switch field {
      case .varint(TimestampField.monotonicNs.rawValue):
        monotonic = Int64(bitPattern: try fields.varint())
      case .varint(TimestampField.wallNs.rawValue):
        wall = Int64(bitPattern: try fields.varint())
      case .varint(TimestampField.wallErrorNs.rawValue):
        wallError = Int64(bitPattern: try fields.varint())
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
      case .varint(FrameHeaderField.frameSequence.rawValue):
        sequence = try fields.varint()
      case .bytes(FrameHeaderField.timestamp.rawValue):
        try timestamp.read(try fields.bytes())
      case .bytes(FrameHeaderField.size.rawValue):
        try readSize(try fields.bytes())
      case .bytes(FrameHeaderField.pixelFormat.rawValue):
        pixelFormat = try fields.pixelFormat()
      case .varint(FrameHeaderField.bytesPerLine.rawValue):
        bytesPerLine = UInt32(truncatingIfNeeded: try fields.varint())
      case .varint(FrameHeaderField.dequeuedNs.rawValue):
        dequeued = Int64(bitPattern: try fields.varint())
      case .varint(FrameHeaderField.copiedNs.rawValue):
        copied = Int64(bitPattern: try fields.varint())
      case .varint(FrameHeaderField.encodeStartedNs.rawValue):
        encodeStarted = Int64(bitPattern: try fields.varint())
      case .varint(FrameHeaderField.encodeFinishedNs.rawValue):
        encodeFinished = Int64(bitPattern: try fields.varint())
      case .varint(FrameHeaderField.timestampMark.rawValue):
        timestampMark = Int32(truncatingIfNeeded: try fields.varint())
      case .varint(FrameHeaderField.earliestStartNs.rawValue):
        earliestStart = Int64(bitPattern: try fields.varint())
      case .varint(FrameHeaderField.latestEndNs.rawValue):
        latestEnd = Int64(bitPattern: try fields.varint())
      case .varint(FrameHeaderField.exposureNs.rawValue):
        exposure = try fields.varint()
      case .bytes(FrameHeaderField.facts.rawValue):
        var facts = self.facts ?? PublicationHeader.Facts()
        try facts.read(try fields.bytes())
        self.facts = facts
      case .bytes(FrameHeaderField.orientation.rawValue):
        var orientation = self.orientation ?? .init()
        try orientation.read(try fields.bytes())
        self.orientation = orientation
      case .bytes(FrameHeaderField.deviceTime.rawValue):
        var time = deviceTime ?? .init()
        try time.read(try fields.bytes())
        deviceTime = time
      case .varint(FrameHeaderField.keyPicture.rawValue):
        isKeyPicture = try fields.varint() != 0
      default: try fields.skip(field)
      }
    }
  }

  private mutating func readSize(_ bytes: RawSpan) throws(FramingError) {
    var fields = FieldReader(bytes)
    while let field = try fields.next() {
      switch field {
      case .varint(SizeField.width.rawValue):
        width = UInt32(truncatingIfNeeded: try fields.varint())
      case .varint(SizeField.height.rawValue):
        height = UInt32(truncatingIfNeeded: try fields.varint())
      default: try fields.skip(field)
      }
    }
  }
}

extension PublicationHeader.Facts {
  fileprivate mutating func read(_ bytes: RawSpan) throws(FramingError) {
    var fields = FieldReader(bytes)
    while let field = try fields.next() {
      switch field {
      case .eightBytes(FrameFactsField.gain.rawValue): gain = try fields.double()
      case .eightBytes(FrameFactsField.focus.rawValue): focus = try fields.double()
      case .eightBytes(FrameFactsField.kelvin.rawValue): kelvin = try fields.double()
      case .eightBytes(FrameFactsField.zoom.rawValue): zoom = try fields.double()
      case .varint(FrameFactsField.colorRange.rawValue):
        colorRange = Int32(truncatingIfNeeded: try fields.varint())
      case .varint(FrameFactsField.colorMatrix.rawValue):
        colorMatrix = Int32(truncatingIfNeeded: try fields.varint())
      case .varint(FrameFactsField.flash.rawValue): flash = try fields.varint() != 0
      default: try fields.skip(field)
      }
    }
  }
}

extension PublicationHeader.Orientation {
  fileprivate mutating func read(_ bytes: RawSpan) throws(FramingError) {
    var fields = FieldReader(bytes)
    while let field = try fields.next() {
      switch field {
      case .varint(OrientationField.rotation.rawValue):
        rotation = UInt32(truncatingIfNeeded: try fields.varint())
      case .varint(OrientationField.mirrored.rawValue):
        isMirrored = try fields.varint() != 0
      default: try fields.skip(field)
      }
    }
  }
}

extension PublicationHeader.DeviceTime {
  fileprivate mutating func read(_ bytes: RawSpan) throws(FramingError) {
    var fields = FieldReader(bytes)
    while let field = try fields.next() {
      switch field {
      case .varint(DeviceTimeField.ticks.rawValue):
        ticks = UInt32(truncatingIfNeeded: try fields.varint())
      case .varint(DeviceTimeField.monotonicNs.rawValue):
        monotonic = Int64(bitPattern: try fields.varint())
      case .varint(DeviceTimeField.errorNs.rawValue): error = try fields.varint()
      case .varint(DeviceTimeField.basis.rawValue):
        basis = Int32(truncatingIfNeeded: try fields.varint())
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
