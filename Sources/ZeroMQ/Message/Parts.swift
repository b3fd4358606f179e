import CZeroMQ

/// The parts of one received message, to be read in place. Nothing is copied; `take` keeps a part
/// for longer.
@safe public struct Parts: ~Copyable {
  /// The number of parts stored in the caller's memory. Few messages have more; further parts are
  /// allocated.
  static let slotCount = 4

  // The first `min(count, slotCount)` are initialized.
  private let slots: UnsafeMutablePointer<zmq_msg_t>
  private var more: [Message] = []
  /// The number of parts.
  public private(set) var count = 0

  /// - Parameter slots: Uninitialized memory for `slotCount` parts, at a fixed address for the life
  ///   of this value.
  init(_ slots: UnsafeMutablePointer<zmq_msg_t>) {
    unsafe self.slots = slots
  }

  deinit {
    for index in 0..<min(count, Self.slotCount) { unsafe zmq_msg_close(slots + index) }
  }

  /// The bytes of a part. A part that was taken has none.
  public subscript(index: Int) -> RawSpan {
    @_lifetime(borrow self)
    get {
      precondition(index >= 0 && index < count, "the message has \(count) parts")
      let bytes =
        if index < Self.slotCount {
          unsafe UnsafeRawBufferPointer(
            start: zmq_msg_data(slots + index), count: zmq_msg_size(slots + index))
        } else {
          unsafe more[index - Self.slotCount].buffer
        }
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
    }
  }

  /// Moves a part out, so that it can be kept after the call.
  public mutating func take(_ index: Int) -> Message {
    precondition(index >= 0 && index < count, "the message has \(count) parts")
    return index < Self.slotCount
      ? unsafe Message(taking: slots + index) : more[index - Self.slotCount]
  }

  /// Calls `receive` until it has delivered the last part of a message.
  mutating func fill(
    limit: Int,
    _ receive: (UnsafeMutablePointer<zmq_msg_t>) throws(ZeroMQError) -> Bool
  ) throws(ZeroMQError) -> Filling {
    var isTooLong = false
    while true {
      if count < Self.slotCount, count < limit {
        guard try unsafe receive(slots + count) else { return count == 0 ? .nothing : .cutShort }
        count += 1
        if unsafe zmq_msg_more(slots + count - 1) == 0 { return .whole }
      } else {
        var part = zmq_msg_t()
        guard try unsafe receive(&part) else { return .cutShort }
        let isLast = unsafe zmq_msg_more(&part) == 0
        let message = unsafe Message(taking: &part)
        if count < limit {
          more.append(message)
          count += 1
        } else {
          isTooLong = true
        }
        if isLast { return isTooLong ? .tooLong : .whole }
      }
    }
  }

  enum Filling {
    case nothing, whole
    /// The sender disconnected before the last part.
    case cutShort
    /// The message has more parts than the limit. It was removed from the socket.
    case tooLong
  }
}
