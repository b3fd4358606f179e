import EventLoop
import OperatingSystem
import ZeroMQ

/// Asks what answers at an endpoint which mechanism it uses, to tell a node that requires keys from
/// a program that is no node.
///
/// libzmq's own handshake does not always tell: a node with keys that has read the greeting of a
/// peer without closes the connection, often before it has sent its own.
final class GreetingProbe {
  private static let patience = Duration.seconds(1)
  /// The beginning of a greeting, up to the version (RFC 37): the peer then sends the rest of its
  /// own.
  private static let greeting: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3]
  /// Where the name of the mechanism is in a greeting.
  private static let mechanism = 12..<32

  private let socket: Socket<Stream>
  private let loop: EventLoop
  private let finish: @Sendable (Bool) -> Void
  private var timer: LoopTimer?
  private var answer: [UInt8] = []
  private var hasGreeted = false

  /// - Parameter finish: Called once, with whether the peer requires a key.
  init(
    _ endpoint: Endpoint, isIPv6: Bool, on loop: EventLoop, _ context: Context,
    finish: @escaping @Sendable (Bool) -> Void
  ) throws(ZeroMQError) {
    self.loop = loop
    self.finish = finish
    socket = try Socket<Stream>(context, on: loop)
    socket.linger = .zero
    socket.isIPv6Enabled = isIPv6
    socket.onReadable { [weak self] in self?.read() }
    timer = loop.schedule(at: .now + Self.patience) { [weak self] in self?.end(false) }
    try socket.connect(endpoint.description)
  }

  func close() {
    timer?.cancel()
    socket.close()
  }

  private func read() {
    while let parts = try? socket.receive(), parts.count == 2 {
      let bytes = parts[1].bytes
      if !hasGreeted {
        hasGreeted = true
        _ = try? socket.send(parts[0].bytes, more: true)
        _ = try? socket.send(Self.greeting)
      } else if bytes.isEmpty {
        return end(false)
      }
      answer += bytes
      if answer.count >= Self.mechanism.upperBound {
        return end(answer[Self.mechanism].prefix { $0 != 0 }.elementsEqual("CURVE".utf8))
      }
    }
  }

  private func end(_ requiresKey: Bool) {
    close()
    finish(requiresKey)
  }
}
