import CZeroMQ
import Glibc
import OperatingSystem

extension SocketCore {
  // MARK: Sending

  /// Returns false if the message would have to wait. Then nothing was sent.
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

  /// Sends without a copy where that is cheaper than copying.
  func send(
    sharing object: some SharedBytes,
    range: Range<Int>?,
    lending: Lending?,
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
      try raw.send(sharing: object, range: range, lending: lending, more: more)
    } catch {
      return try refused(error, more: more)
    }
    isMidMessage = more
    return true
  }

  func update() throws(ZeroMQError) {
    // Reading ZMQ_EVENTS makes libzmq process its threads' commands.
    _ = try call("update") { (raw) throws(SystemError) in
      try raw.option(ZMQ_EVENTS, as: Int32.self)
    }
  }

  private func refused(_ error: SystemError, more: Bool) throws(ZeroMQError) -> Bool {
    guard error.errno == EAGAIN else { throw ZeroMQError(error) }
    guard isMidMessage else { return false }
    // libzmq accepts whole messages only, so the peer disconnected. It drops everything up to a
    // last part, which is sent here.
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
    var message: [Message]?
    _ = try receive { parts in message = (0..<parts.count).map { parts.take($0) } }
    return message
  }

  func receive(_ read: (inout Parts) -> Void) throws(ZeroMQError) -> Bool {
    try unsafe withUnsafeTemporaryAllocation(of: zmq_msg_t.self, capacity: Parts.slotCount) {
      (slots) throws(ZeroMQError) in
      guard let slots = slots.baseAddress else { return false }
      var parts = unsafe Parts(slots)
      switch try unsafe parts.fill(limit: maximumParts, receivePart) {
      case .nothing: return false
      case .whole:
        read(&parts)
        return true
      case .cutShort:
        throw ZeroMQError(
          .messageCutShort,
          "the rest of a message is missing: its sender went away",
          operation: "receive"
        )
      case .tooLong:
        throw ZeroMQError(
          .tooManyParts,
          "a message of more than \(maximumParts) parts was dropped: raise maximumParts to receive it",
          operation: "receive"
        )
      }
    }
  }

  private func receivePart(
    into part: UnsafeMutablePointer<zmq_msg_t>
  ) throws(ZeroMQError) -> Bool {
    let raw = try opened("receive")
    do throws(SystemError) {
      let isThere = try unsafe raw.receive(into: part)
      if !isThere { foundEmpty() }
      return isThere
    } catch {
      throw ZeroMQError(error)
    }
  }
}
