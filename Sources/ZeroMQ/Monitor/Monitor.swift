import CZeroMQ
import EventLoop
import OperatingSystem
import Synchronization

// Sendable: all properties are constant and Sendable.
/// Receives a socket's monitor events through a PAIR socket on the same loop.
final class Monitor: Sendable {
  private static let count = Atomic<Int>(0)

  private let pair: SocketCore
  /// Receives each event, and nil after the last one.
  private let deliver: @Sendable (MonitorEvent?) -> Void

  /// Starts to deliver the socket's events on the loop's thread.
  init(
    _ socket: SocketCore,
    _ deliver: @escaping @Sendable (MonitorEvent?) -> Void
  ) throws(ZeroMQError) {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    let endpoint = "inproc://camerabus.monitor.\(number)"
    let pair = try SocketCore(socket.context, on: socket.loop, type: ZMQ_PAIR)
    self.pair = pair
    self.deliver = deliver
    do throws(ZeroMQError) {
      try socket.call("monitor") { raw throws(SystemError) in try raw.monitor(endpoint) }
      // Without a limit, so that libzmq's I/O thread never waits for the reader.
      pair.set(ZMQ_RCVHWM, Int32(0))
      try pair.call("monitor") { raw throws(SystemError) in try raw.connect(endpoint) }
    } catch {
      pair.close()
      throw error
    }
    pair.setReadableHandler { self.drain() }
  }

  /// Delivers the remaining events and then nil.
  func end() {
    drain()
    deliver(nil)
    pair.closeForgotten()
  }

  private func drain() {
    while let parts = try? pair.receive() {
      if let event = MonitorEvent(parts) { deliver(event) }
    }
  }
}
