import CZeroMQ
public import EventLoop
import OperatingSystem

// Sendable: all properties are constant and Sendable.
/// Decides which peers may connect to the sockets of a context that require it: see
/// ``Socket/requireAdmission(to:)``.
///
/// libzmq asks it in every handshake, by the ZeroMQ Authentication Protocol ([RFC
/// 27](https://rfc.zeromq.org/spec/27/)). A context has one handler. Without one, and while its
/// loop is held up, nobody gets in; connections that were admitted before stay.
public final class ZAPHandler: Sendable {
  private let socket: SocketCore

  /// Starts to decide. Call it on the loop; it calls `judge` on the loop's thread for each
  /// handshake.
  ///
  /// - Throws: `addressInUse` when the context has a handler.
  public init(
    _ context: Context,
    on loop: EventLoop,
    _ judge: @escaping @Sendable (ConnectionRequest) -> Admission
  ) throws(ZeroMQError) {
    let socket = try SocketCore(context, on: loop, type: ZMQ_ROUTER)
    self.socket = socket
    // libzmq asserts that its requests find room. Connections bound their number.
    socket.set(ZMQ_RCVHWM, Int32(0))
    socket.set(ZMQ_SNDHWM, Int32(0))
    do throws(ZeroMQError) {
      _ = try socket.bind("inproc://zeromq.zap.01")
    } catch {
      socket.close()
      throw error
    }
    socket.setReadableHandler { [weak socket] in
      if let socket { Self.answer(socket, judge) }
    }
  }

  deinit { socket.closeForgotten() }

  /// Ends the handler. Nobody gets in from now on. Call it on the loop.
  public func close() { socket.close() }

  /// Answers one request. The loop calls again while more wait.
  private static func answer(_ socket: SocketCore, _ judge: (ConnectionRequest) -> Admission) {
    guard let parts = try? socket.receive(), let question = ZAPQuestion(parts) else { return }
    let reply = question.reply(question.request.map(judge) ?? .refused)
    for (index, part) in reply.enumerated() {
      // The peer may have gone.
      let isSent = try? socket.send(unsafe part.span.bytes, more: index < reply.count - 1)
      guard isSent == true else { return }
    }
  }
}
