import CZeroMQ
import OperatingSystem

extension MonitorEvent {
  /// Parses libzmq's form: a part with a 16-bit event and a 32-bit value in the machine's byte
  /// order, then a part with the endpoint.
  init?(_ parts: [Message]) {
    guard parts.count == 2, parts[0].count == 6 else { return nil }
    let (event, value) = parts[0].withBytes { bytes in
      (
        unsafe bytes.unsafeLoadUnaligned(as: UInt16.self),
        unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 2, as: UInt32.self)
      )
    }
    kind = Kind(event, value: value)
    descriptor =
      switch kind {
      case .listening, .accepted, .connected, .disconnected, .closed:
        Int32(truncatingIfNeeded: value)
      default: nil
      }
    endpoint = String(decoding: parts[1].bytes, as: UTF8.self)
  }
}

extension MonitorEvent.Kind {
  fileprivate init(_ event: UInt16, value: UInt32) {
    let number = Int32(truncatingIfNeeded: value)
    self =
      switch Int32(event) {
      case ZMQ_EVENT_LISTENING: .listening
      case ZMQ_EVENT_BIND_FAILED: .bindFailed(errno: number)
      case ZMQ_EVENT_ACCEPTED: .accepted
      case ZMQ_EVENT_ACCEPT_FAILED: .acceptFailed(errno: number)
      case ZMQ_EVENT_CONNECT_DELAYED: .connecting
      case ZMQ_EVENT_CONNECT_RETRIED: .retrying(after: .milliseconds(Int64(value)))
      case ZMQ_EVENT_CONNECTED: .connected
      case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: .handshakeSucceeded
      case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: .handshakeFailed(.connection(errno: number))
      case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: .handshakeFailed(.violation(code: value))
      case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: .handshakeFailed(.refused(status: value))
      case ZMQ_EVENT_DISCONNECTED: .disconnected
      case ZMQ_EVENT_CLOSED: .closed
      case ZMQ_EVENT_CLOSE_FAILED: .closeFailed(errno: number)
      default: .other(event, value: value)
      }
  }
}
