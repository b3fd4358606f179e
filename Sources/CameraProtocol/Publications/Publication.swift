import Glibc

/// The first two parts of a publication, `topic | header | payload`. The payload is not read here:
/// it is a `WireEvent`, a `WireHeartbeat` or a frame's bytes.
package struct Publication: Hashable, Sendable {
  package let topic: Topic
  package let header: PublicationHeader

  /// - Throws: `unknownTopic`, which a subscriber ignores, because a newer node may publish topics
  ///   that this version does not know; `tooLong` and `unreadable` for the header.
  package init(topic name: RawSpan, header: RawSpan) throws(FramingError) {
    guard let topic = Topic(parsing: name.copy) else {
      throw FramingError(.unknownTopic, "the topic is none of protocol version 1")
    }
    self.topic = topic
    self.header = try PublicationHeader(reading: header)
    if case .frame = topic, self.header.frame == nil {
      throw FramingError(.unreadable, "the header of a frame does not describe it")
    }
  }
}

extension RawSpan {
  package func isEqual(to bytes: [UInt8]) -> Bool {
    guard byteCount == bytes.count else { return false }
    return unsafe withUnsafeBytes { own in
      unsafe bytes.withUnsafeBytes { others in
        guard let own = own.baseAddress, let others = others.baseAddress else {
          return true
        }
        return unsafe memcmp(own, others, bytes.count) == 0
      }
    }
  }

  /// A copy of the bytes.
  package var copy: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
