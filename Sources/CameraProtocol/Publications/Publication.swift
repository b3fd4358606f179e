/// What a node publishes: `topic | header | payload`. Of these the first two are read here; the payload is left as it
/// came: a `WireEvent`, a `WireHeartbeat`, or a frame's bytes.
package struct Publication: Hashable, Sendable {
  package let topic: Topic
  package let header: PublicationHeader
  private let topicBytes: [UInt8]

  /// - Parameter earlier: One that it likely resembles: what both have is not read anew.
  /// - Throws: `unknownTopic`, which a subscriber passes over, for a newer node may publish more than this version
  ///   knows; `tooLong` and `unreadable` for the header.
  package init(
    topic name: RawSpan, header: RawSpan, like earlier: Publication? = nil
  ) throws(FramingError) {
    if let earlier, name.isEqual(to: earlier.topicBytes) {
      (topic, topicBytes) = (earlier.topic, earlier.topicBytes)
    } else {
      topicBytes = unsafe name.withUnsafeBytes { unsafe Array($0) }
      guard let topic = Topic(parsing: topicBytes) else {
        throw FramingError(.unknownTopic, "the topic is none of protocol version 1")
      }
      self.topic = topic
    }
    try Framing.check(byteCount: header.byteCount)
    self.header = try PublicationHeader(reading: header, like: earlier?.header)
    if case .frame = topic, self.header.frame == nil {
      throw FramingError(.unreadable, "the header of a frame does not describe it")
    }
  }
}

extension RawSpan {
  func isEqual(to bytes: [UInt8]) -> Bool {
    guard byteCount == bytes.count else { return false }
    for offset in 0..<byteCount
    where unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) != bytes[offset] {
      return false
    }
    return true
  }

  func isEqual(to text: String.UTF8View) -> Bool {
    guard byteCount == text.count else { return false }
    var offset = 0
    for byte in text {
      guard unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) == byte else { return false }
      offset += 1
    }
    return true
  }
}
