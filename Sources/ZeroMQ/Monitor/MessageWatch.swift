package import EventLoop
import Glibc
import OperatingSystem

/// Ends a socket's connection when a message comes over it that does not end.
///
/// libzmq bounds the length of a part, but not the number of parts: it keeps them until the last
/// one has come. So this compares what libzmq has received with what was read, ten times a second
/// while input comes. The socket has one connection at a time.
package final class MessageWatch {
  /// libzmq fills at most about a gigabyte a second. A shorter interval would cost more for each
  /// frame of an honest stream.
  private static let interval = Duration.milliseconds(100)

  private let loop: EventLoop
  private let longestPart: Int
  private let alarms: InputAlarms
  private let readAll: @Sendable () -> Void
  private let onEnd: @Sendable () -> Void
  private var input: Watch?
  private var timer: LoopTimer?
  private var connection: PeerConnection?
  private var message: UnfinishedMessage
  /// The memory of the process at the first input since the last measurement, if it counts.
  private var memoryBefore: Int?

  /// - Parameters:
  ///   - longestPart: The greatest length of a part that the socket takes, in bytes.
  ///   - readAll: Reads all whole messages that wait, and reports each to ``read(_:)``.
  ///   - onEnd: Called when a connection was ended. libzmq then connects again.
  package init(
    on loop: EventLoop,
    longestPart: Int,
    readAll: @escaping @Sendable () -> Void,
    onEnd: @escaping @Sendable () -> Void = {}
  ) throws(ZeroMQError) {
    guard let alarms = InputAlarms() else {
      throw ZeroMQError(SystemError(errno: EMFILE, operation: "watch"))
    }
    self.loop = loop
    self.longestPart = longestPart
    self.alarms = alarms
    self.readAll = readAll
    self.onEnd = onEnd
    message = UnfinishedMessage(longestPart: longestPart)
    input = loop.watch(alarms.descriptor, for: .readable) { [weak self] in self?.takeInput() }
  }

  /// Takes each event of the socket's monitor.
  package func observe(_ event: MonitorEvent) {
    switch event.kind {
    case .connected:
      connection = event.descriptor.flatMap(PeerConnection.init(descriptor:))
      message = UnfinishedMessage(
        longestPart: longestPart, after: connection?.takenByteCount ?? 0)
      if let connection { alarms.add(connection.descriptor) }
    case .disconnected: connection = nil
    default: break
    }
  }

  /// A whole message was read, of this many bytes on the wire.
  package func read(_ byteCount: Int) { message.read(byteCount) }

  /// Call it before the socket is closed.
  package func close() {
    input?.cancel()
    input = nil
    timer?.cancel()
    connection = nil
  }

  private func takeInput() {
    _ = alarms.take()
    guard timer == nil, connection != nil else { return }
    schedule()
  }

  private func schedule() {
    memoryBefore = message.isUnderWay ? ProcessMemory.resident : nil
    timer = loop.schedule(at: .now + Self.interval) { [weak self] in
      self?.timer = nil
      self?.measure()
    }
  }

  private func measure() {
    guard let connection else { return }
    let before = connection.takenByteCount
    readAll()
    // Reading may have closed the socket.
    guard self.connection == connection else { return }
    let growth = memoryBefore.flatMap { before in ProcessMemory.resident.map { $0 - before } }
    if message.isTooLong(before: before, after: connection.takenByteCount, growth: growth ?? 0) {
      self.connection = nil
      connection.shutDown()
      onEnd()
    } else if message.isUnderWay {
      alarms.arm(connection.descriptor)
    } else {
      // Messages come. An alarm would wake the loop at the beginning of the next one.
      schedule()
    }
  }
}
