/// Writes the headers of publications, one after the other, into the same memory.
package struct HeaderWriter: Sendable {
  // A header never fills it: it has about 25 numbers of at most eleven bytes with their tags, a
  // format's name, and four facts of nine bytes.
  private var fields = FieldWriter()

  package init() {}

  /// The last header.
  package var bytes: RawSpan {
    @_lifetime(borrow self)
    get { fields.bytes }
  }

  /// Writes a header as SwiftProtobuf would, byte for byte.
  package mutating func write(_ header: PublicationHeader) {
    fields.clear()
    let epoch = fields.beginMessage(HeaderField.epoch)
    put(word: header.epoch.words.high)
    put(word: header.epoch.words.low)
    fields.endMessage(epoch)
    fields.put(HeaderField.sequence, header.sequence)
    let sent = fields.beginMessage(HeaderField.sent)
    put(header.sent)
    fields.endMessage(sent)
    if let frame = header.frame {
      let start = fields.beginMessage(HeaderField.frame)
      put(frame)
      fields.endMessage(start)
    }
  }

  private mutating func put(_ frame: PublicationHeader.Frame) {
    fields.put(FrameHeaderField.frameSequence, frame.sequence)
    let timestamp = fields.beginMessage(FrameHeaderField.timestamp)
    put(frame.timestamp)
    fields.endMessage(timestamp)
    let size = fields.beginMessage(FrameHeaderField.size)
    fields.put(SizeField.width, UInt64(frame.width))
    fields.put(SizeField.height, UInt64(frame.height))
    fields.endMessage(size)
    put(frame.pixelFormat)
    fields.put(FrameHeaderField.bytesPerLine, UInt64(frame.bytesPerLine))
    fields.put(FrameHeaderField.dequeuedNs, UInt64(bitPattern: frame.dequeued))
    fields.put(FrameHeaderField.copiedNs, UInt64(bitPattern: frame.copied))
    fields.put(FrameHeaderField.encodeStartedNs, UInt64(bitPattern: frame.encodeStarted))
    fields.put(FrameHeaderField.encodeFinishedNs, UInt64(bitPattern: frame.encodeFinished))
    // Protobuf writes the number of an enum value as a signed integer.
    fields.put(FrameHeaderField.timestampMark, UInt64(bitPattern: Int64(frame.timestampMark)))
    fields.put(FrameHeaderField.earliestStartNs, UInt64(bitPattern: frame.earliestStart))
    fields.put(FrameHeaderField.latestEndNs, UInt64(bitPattern: frame.latestEnd))
    fields.put(FrameHeaderField.exposureNs, frame.exposure)
    if let facts = frame.facts {
      let start = fields.beginMessage(FrameHeaderField.facts)
      put(facts)
      fields.endMessage(start)
    }
    if let orientation = frame.orientation {
      let start = fields.beginMessage(FrameHeaderField.orientation)
      fields.put(OrientationField.rotation, UInt64(orientation.rotation))
      fields.put(OrientationField.mirrored, orientation.isMirrored ? 1 : 0)
      fields.endMessage(start)
    }
    if let time = frame.deviceTime {
      let start = fields.beginMessage(FrameHeaderField.deviceTime)
      fields.put(DeviceTimeField.ticks, UInt64(time.ticks))
      fields.put(DeviceTimeField.monotonicNs, UInt64(bitPattern: time.monotonic))
      fields.put(DeviceTimeField.errorNs, time.error)
      fields.put(DeviceTimeField.basis, UInt64(bitPattern: Int64(time.basis)))
      fields.endMessage(start)
    }
    if frame.isKeyPicture { fields.put(FrameHeaderField.keyPicture, 1) }
  }

  private mutating func put(_ facts: PublicationHeader.Facts) {
    fields.put(FrameFactsField.gain, facts.gain)
    fields.put(FrameFactsField.focus, facts.focus)
    fields.put(FrameFactsField.kelvin, facts.kelvin)
    fields.put(FrameFactsField.zoom, facts.zoom)
    fields.put(FrameFactsField.colorRange, UInt64(bitPattern: Int64(facts.colorRange)))
    fields.put(FrameFactsField.colorMatrix, UInt64(bitPattern: Int64(facts.colorMatrix)))
    fields.put(FrameFactsField.flash, facts.flash)
  }

  @inline(never)
  private mutating func put(_ moment: PublicationHeader.Moment) {
    fields.put(TimestampField.monotonicNs, UInt64(bitPattern: moment.monotonic))
    fields.put(TimestampField.wallNs, UInt64(bitPattern: moment.wall))
    fields.put(TimestampField.wallErrorNs, UInt64(bitPattern: moment.wallError))
  }

  private mutating func put(_ name: PixelFormatName) {
    guard name.byteCount > 0 else { return }
    let start = fields.beginMessage(FrameHeaderField.pixelFormat)
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
