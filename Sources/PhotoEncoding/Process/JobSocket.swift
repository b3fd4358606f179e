import Glibc
package import OperatingSystem

/// One end of the connection between the node and the process that encodes.
package struct JobSocket: ~Copyable {
  package enum Failure: Error {
    /// The peer has closed its end, or has gone.
    case closed
    /// The time was over.
    case late
  }

  private static let doNotWait = Int32(MSG_DONTWAIT)

  let descriptor: Int32
  private let isOwner: Bool

  /// Uses a descriptor that somebody else closes.
  package init(borrowing descriptor: Int32) {
    self.descriptor = descriptor
    isOwner = false
  }

  init(owning descriptor: Int32) {
    self.descriptor = descriptor
    isOwner = true
  }

  deinit {
    if isOwner { close(descriptor) }
  }

  /// Whether the peer sends something in this time, or goes.
  package func hasNews(within time: Duration = .zero) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, Int32(time.wholeNanoseconds / 1_000_000)) != 0
  }

  package func send(_ bytes: [UInt8], until end: MonotonicTime) throws(Failure) {
    var rest = bytes.span
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBufferPointer {
        Self.result(
          unsafe Glibc.send(
            descriptor, $0.baseAddress, $0.count,
            Int32(MSG_NOSIGNAL) | Self.doNotWait))
      }
      rest = rest.extracting(droppingFirst: try moved(count, POLLOUT, until: end))
    }
  }

  /// Receives as many bytes as this.
  package func receive(_ count: Int, until end: MonotonicTime) throws(Failure) -> [UInt8] {
    try [UInt8](capacity: count) { (bytes) throws(Failure) in
      while !bytes.isFull {
        let received = unsafe bytes.withUnsafeMutableBufferPointer { memory, filled in
          let free = unsafe UnsafeMutableBufferPointer(rebasing: memory[filled...])
          let received = Self.result(
            unsafe recv(descriptor, free.baseAddress, count - filled, Self.doNotWait))
          filled += max(0, received)
          return received
        }
        guard received != 0 else { throw .closed }
        _ = try moved(received, POLLIN, until: end)
      }
    }
  }

  /// The number of bytes, or the negative error number.
  private static func result(_ count: Int) -> Int { count < 0 ? -Int(errno) : count }

  /// The number of bytes that a call has moved. If it could move none yet, this waits until it can.
  private func moved(
    _ result: Int, _ event: Int32, until end: MonotonicTime
  ) throws(Failure) -> Int {
    if result >= 0 { return result }
    if result == -Int(EINTR) { return 0 }
    guard result == -Int(EAGAIN) else { throw .closed }
    let left = (end - .now).wholeNanoseconds
    guard left > 0 else { throw .late }
    var state = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    // The longest wait is a minute, so that its milliseconds fit.
    _ = unsafe poll(&state, 1, Int32(min(60_000, left / 1_000_000 + 1)))
    return 0
  }
}
