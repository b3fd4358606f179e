import EventLoop
import Glibc

extension SocketCore {
  // MARK: Sending

  /// False when the message would have to wait, for then nothing of it was sent.
  func send(_ bytes: RawSpan, more: Bool) throws(ZeroMQError) -> Bool {
    let raw = try opened("send")
    do throws(SystemError) {
      try raw.send(bytes, more: more)
    } catch {
      return try refused(error, more: more)
    }
    isMidMessage = more
    return true
  }

  /// The same without a copy, where that is cheaper.
  func send(
    sharing object: some SharedBytes,
    range: Range<Int>?,
    more: Bool
  ) throws(ZeroMQError) -> Bool {
    let range = range ?? object.withBytes { 0..<$0.byteCount }
    if range.count < 256 {
      return try object.withBytes { bytes throws(ZeroMQError) in
        try send(bytes.extracting(range), more: more)
      }
    }
    let raw = try opened("send")
    do throws(SystemError) {
      try raw.send(sharing: object, range: range, more: more)
    } catch {
      return try refused(error, more: more)
    }
    isMidMessage = more
    return true
  }

  private func refused(_ error: SystemError, more: Bool) throws(ZeroMQError) -> Bool {
    guard error.errno == EAGAIN else { throw ZeroMQError(error) }
    guard isMidMessage else { return false }
    // libzmq takes a message whole or not at all, so its peer has gone. It would drop all up to a last part: give it one.
    isMidMessage = false
    if more { _ = try send(RawSpan(), more: false) }
    throw ZeroMQError(
      .messageCutShort,
      "the peer went away in the middle of a message: send it again from its first part",
      operation: "send"
    )
  }

  // MARK: Receiving

  func receive() throws(ZeroMQError) -> [Message]? {
    guard let first = try receivePart() else { return nil }
    var parts: [Message] = []
    // Most have three or four: one allocation for them.
    parts.reserveCapacity(4)
    parts.append(first)
    var last = first
    while last.hasMore {
      guard let next = try receivePart() else {
        throw ZeroMQError(
          .messageCutShort,
          "the rest of a message is missing: its sender went away",
          operation: "receive"
        )
      }
      guard parts.count < maximumParts else { throw try refuse(next) }
      parts.append(next)
      last = next
    }
    return parts
  }

  /// Takes the rest of a message off the socket, so that the next call finds a first part.
  private func refuse(_ part: Message) throws(ZeroMQError) -> ZeroMQError {
    var last = part
    while last.hasMore, let next = try receivePart() { last = next }
    return ZeroMQError(
      .tooManyParts,
      "a message of more than \(maximumParts) parts was thrown away: raise maximumParts if it was meant",
      operation: "receive"
    )
  }

  private func receivePart() throws(ZeroMQError) -> Message? {
    let raw = try opened("receive")
    do throws(SystemError) {
      let part = try raw.receive()
      if part == nil { foundEmpty() }
      return part
    } catch {
      throw ZeroMQError(error)
    }
  }
}
