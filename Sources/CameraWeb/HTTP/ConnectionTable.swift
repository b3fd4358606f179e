import Glibc
import NIOCore
import OperatingSystem

/// The connections that are open, in all and by address, and how many there may be.
final class ConnectionTable: Sendable {
  /// What tells visitors apart: an address of IPv4, or the network of an address of IPv6, of which
  /// one visitor has as many as he likes.
  struct Visitor: Hashable, Sendable {
    fileprivate let bytes: [UInt8]
    /// A program on this machine, which may be a proxy for many visitors.
    fileprivate let isOnThisMachine: Bool
  }

  /// What is known of the connections so far.
  struct Counters: Hashable, Sendable {
    var open = 0
    var accepted: UInt64 = 0
    var refused: UInt64 = 0
    /// Connections that were closed because their visitor took or gave too little for too long.
    var stalled: UInt64 = 0
    var sentBytes: UInt64 = 0
  }

  private struct State {
    var counters = Counters()
    var byVisitor: [Visitor: Int] = [:]
  }

  private let limit: Int
  private let limitByVisitor: Int
  private let state = Mutex(State())

  init(limit: Int, limitByVisitor: Int) {
    self.limit = limit
    self.limitByVisitor = limitByVisitor
  }

  var counters: Counters { state.withLock(\.counters) }

  /// Counts a new connection.
  /// - Returns: Whether there may be one more.
  func enter(_ visitor: Visitor) -> Bool {
    state.withLock { state in
      let count = state.byVisitor[visitor, default: 0]
      guard state.counters.open < limit, visitor.isOnThisMachine || count < limitByVisitor else {
        state.counters.refused += 1
        return false
      }
      state.byVisitor[visitor] = count + 1
      state.counters.open += 1
      state.counters.accepted += 1
      return true
    }
  }

  /// Forgets a connection that ``enter(_:)`` has counted.
  func leave(_ visitor: Visitor) {
    state.withLock { state in
      state.counters.open -= 1
      let count = state.byVisitor[visitor, default: 1] - 1
      state.byVisitor[visitor] = count > 0 ? count : nil
    }
  }

  func countStall() { state.withLock { $0.counters.stalled += 1 } }

  func countSent(_ bytes: Int) { state.withLock { $0.counters.sentBytes += UInt64(bytes) } }
}

extension ConnectionTable.Visitor {
  init(_ address: SocketAddress?) {
    let text = address?.ipAddress ?? ""
    if let bytes = Self.bytes(of: text, AF_INET, count: 4) {
      self.init(bytes: bytes, isOnThisMachine: bytes[0] == 127)
    } else if let bytes = Self.bytes(of: text, AF_INET6, count: 16) {
      // An address of IPv4 may have the form of IPv6.
      let isIPv4 = bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xff, 0xff])
      let loopback = [UInt8](repeating: 0, count: 15) + [1]
      self.init(
        bytes: Array(isIPv4 ? bytes.suffix(4) : bytes.prefix(8)),
        isOnThisMachine: isIPv4 ? bytes[12] == 127 : bytes == loopback)
    } else {
      self.init(bytes: [], isOnThisMachine: true)
    }
  }

  private static func bytes(of text: String, _ family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    // Without the scope of a local address.
    let address = String(text.prefix { $0 != "%" })
    return unsafe inet_pton(family, address, &bytes) == 1 ? bytes : nil
  }
}
