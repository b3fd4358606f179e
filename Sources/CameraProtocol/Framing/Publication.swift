/// What a node publishes: `topic | header | payload`.
///
/// The payload is left as it came: a `WireEvent`, a `WireHeartbeat`, or a frame's bytes.
package struct Publication<Part> {
  package let topic: Topic
  package let epoch: Epoch
  package let header: WireHeader
  package let payload: Part

  /// Reads the parts of a publication; a part behind the payload is ignored.
  /// - Parameter known: A topic that is likely, with its bytes: it needs no reading.
  /// - Throws: `missingPart`; `unknownTopic`, which a subscriber passes over, for a newer node may publish more than
  ///   this version knows; `tooLong` and `unreadable` for the header.
  package init(
    reading parts: some Collection<Part>,
    known: (bytes: [UInt8], topic: Topic)? = nil,
    bytes: (Part) -> [UInt8]
  ) throws(FramingError) {
    var rest = parts.makeIterator()
    guard let name = rest.next(), let headerPart = rest.next(), let payload = rest.next() else {
      throw FramingError(.missingPart, "a publication has three parts, not \(parts.count)")
    }
    let nameBytes = bytes(name)
    guard let topic = nameBytes == known?.bytes ? known?.topic : Topic(parsing: nameBytes) else {
      throw FramingError(.unknownTopic, "the topic is none of protocol version 1")
    }
    let header = try Framing.decode(WireHeader.self, from: bytes(headerPart))
    guard let epoch = Epoch(bytes: header.epoch), header.sequence > 0 else {
      throw FramingError(.unreadable, "the header lacks an epoch of 16 bytes or a number")
    }
    if case .frame = topic, !header.hasFrame {
      throw FramingError(.unreadable, "the header of a frame does not describe it")
    }
    self.topic = topic
    self.epoch = epoch
    self.header = header
    self.payload = payload
  }
}

extension Publication: Sendable where Part: Sendable {}
