import CZeroMQ

/// The parts of one received message, lent: they are read in place, and what is to be kept is taken out. No part is
/// copied, and one that is only read takes no memory of its own.
@safe public struct Parts: ~Copyable {
  /// Few messages have more parts than these, whose memory is lent too; the others are kept apart.
  static let slotCount = 4

  // They are initialized, `count` of them at most.
  private let slots: UnsafeMutablePointer<zmq_msg_t>
  private var more: [Message] = []
  /// How many parts there are.
  public private(set) var count = 0

  /// - Parameter slots: Room for `slotCount` parts, which stays where it is for this one's life.
  init(_ slots: UnsafeMutablePointer<zmq_msg_t>) {
    unsafe self.slots = slots
  }

  deinit {
    for index in 0..<min(count, Self.slotCount) { unsafe zmq_msg_close(slots + index) }
  }

  /// The bytes of a part; none of one that was taken.
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

  /// Keeps a part for longer than the message is lent.
  public mutating func take(_ index: Int) -> Message {
    precondition(index >= 0 && index < count, "the message has \(count) parts")
    return index < Self.slotCount
      ? unsafe Message(taking: slots + index) : more[index - Self.slotCount]
  }

  /// Asks `receive` for the next part until it is the message's last one.
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
    /// The sender went away before the last part.
    case cutShort
    /// It has more parts than the limit, and was taken off the socket.
    case tooLong
  }
}
