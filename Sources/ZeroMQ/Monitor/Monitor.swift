import CZeroMQ
import EventLoop
import Synchronization

// Sendable: its parts are, and never change.
/// The reading end of a socket's events: a PAIR on the same loop that feeds a stream.
final class Monitor: Sendable {
  private static let count = Atomic<Int>(0)

  private let pair: SocketCore
  private let continuation: AsyncStream<MonitorEvent>.Continuation

  static func start(
    _ socket: SocketCore,
    bufferingNewest limit: Int
  ) throws(ZeroMQError) -> (Monitor, AsyncStream<MonitorEvent>) {
    let number = count.add(1, ordering: .relaxed).newValue
    let endpoint = "inproc://camerabus.monitor.\(number)"
    let (events, continuation) = AsyncStream.makeStream(
      of: MonitorEvent.self,
      bufferingPolicy: .bufferingNewest(limit)
    )
    let pair = try SocketCore(socket.context, on: socket.loop, type: ZMQ_PAIR)
    let monitor = Monitor(pair, continuation)
    do throws(ZeroMQError) {
      try socket.call("monitor") { raw throws(SystemError) in try raw.monitor(endpoint) }
      // The I/O thread that sends the events must never wait for this one.
      pair.set(ZMQ_RCVHWM, Int32(0))
      try pair.call("monitor") { raw throws(SystemError) in try raw.connect(endpoint) }
    } catch {
      pair.close()
      throw error
    }
    pair.setReadableHandler { monitor.drain() }
    continuation.onTermination = { [weak socket, weak monitor] _ in
      _ = socket?.loop.performUnlessStopped { [weak socket, weak monitor] in
        if let monitor { socket?.endMonitor(monitor) }
      }
    }
    return (monitor, events)
  }

  private init(_ pair: SocketCore, _ continuation: AsyncStream<MonitorEvent>.Continuation) {
    self.pair = pair
    self.continuation = continuation
  }

  /// Passes on what has come and ends the stream.
  func end() {
    drain()
    continuation.finish()
    pair.closeForgotten()
  }

  private func drain() {
    while let parts = try? pair.receive() {
      if let event = MonitorEvent(parts) { continuation.yield(event) }
    }
  }
}
