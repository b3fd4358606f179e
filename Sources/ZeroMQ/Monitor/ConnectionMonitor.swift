import CZeroMQ
package import EventLoop
import OperatingSystem
import Synchronization

// Sendable: all properties are constant and Sendable.
/// Receives the begins and ends of a socket's connections on another loop than the socket's, so
/// that a flood of connections does not hold up the socket.
package final class ConnectionMonitor: Sendable {
  private static let count = Atomic<Int>(0)

  let endpoint: String
  private let pair: SocketCore

  /// Call it on the loop on which the events are to arrive.
  package init(
    _ context: Context, on loop: EventLoop, _ deliver: @escaping @Sendable (MonitorEvent) -> Void
  ) throws(ZeroMQError) {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    endpoint = "inproc://camerabus.connections.\(number)"
    let pair = try SocketCore(context, on: loop, type: ZMQ_PAIR)
    self.pair = pair
    // Without a limit, so that libzmq's I/O thread never waits for the reader.
    pair.set(ZMQ_RCVHWM, Int32(0))
    do throws(ZeroMQError) {
      let endpoint = endpoint
      try pair.call("monitor") { raw throws(SystemError) in try raw.connect(endpoint) }
    } catch {
      pair.close()
      throw error
    }
    pair.setReadableHandler { [weak pair] in
      while let parts = try? pair?.receive() {
        if let event = MonitorEvent(parts) { deliver(event) }
      }
    }
  }

  /// Call it on the loop, after the socket was closed.
  package func close() { pair.close() }
}

extension Socket {
  /// Reports all connections from now on. It replaces ``monitor(bufferingNewest:)``.
  package func report(to monitor: ConnectionMonitor) throws(ZeroMQError) {
    try core.report(to: monitor)
  }
}
