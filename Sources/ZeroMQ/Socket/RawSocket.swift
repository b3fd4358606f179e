import CZeroMQ
import Glibc
import OperatingSystem

/// libzmq's calls on one socket. Only this file uses the pointer. `SocketCore` owns the socket,
/// closes it once and keeps it on one thread. Errors carry libzmq's number and the operation's
/// name.
@safe struct RawSocket {
  private let pointer: UnsafeMutableRawPointer

  init(_ pointer: UnsafeMutableRawPointer) {
    unsafe self.pointer = unsafe pointer
  }

  /// Gives the socket to libzmq's reaper thread. This fails only for a pointer that is not a
  /// socket.
  func close() {
    let status = unsafe zmq_close(pointer)
    precondition(status == 0, "a socket was closed twice")
  }

  // MARK: Endpoints

  func bind(_ endpoint: String) throws(SystemError) {
    guard !endpoint.utf8.contains(0) else { throw SystemError(errno: EINVAL, operation: "bind") }
    // libzmq would delete whatever has the path, and bind its own socket in its place.
    if UnixSocket.isOtherFile(endpoint: endpoint) {
      throw SystemError(errno: EEXIST, operation: "bind")
    }
    if UnixSocket.isListenedTo(endpoint: endpoint) {
      throw SystemError(errno: EADDRINUSE, operation: "bind")
    }
    try systemCall("bind", at: endpoint) { unsafe zmq_bind(pointer, $0.pointer) }
  }

  func unbind(_ endpoint: String) throws(SystemError) {
    try systemCall("unbind", at: endpoint) { unsafe zmq_unbind(pointer, $0.pointer) }
  }

  func connect(_ endpoint: String) throws(SystemError) {
    try systemCall("connect", at: endpoint) { unsafe zmq_connect(pointer, $0.pointer) }
  }

  func disconnect(_ endpoint: String) throws(SystemError) {
    try systemCall("disconnect", at: endpoint) { unsafe zmq_disconnect(pointer, $0.pointer) }
  }

  /// The endpoint of the last bind or connect, without wildcards.
  func lastEndpoint() throws(SystemError) -> String {
    let text = try bytes(ZMQ_LAST_ENDPOINT, capacity: 512)
    return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Sends the socket's events to a PAIR socket at the inproc endpoint. Nil stops that.
  func monitor(
    // Without the event of the monitor's own end, because libzmq would block to send it.
    _ endpoint: String?, events: Int32 = ZMQ_EVENT_ALL & ~ZMQ_EVENT_MONITOR_STOPPED
  ) throws(SystemError) {
    try systemCall("monitor") {
      unsafe zmq_socket_monitor(pointer, endpoint, endpoint == nil ? 0 : events)
    }
  }

  // MARK: Messages, never blocking

  func send(_ bytes: RawSpan, more: Bool) throws(SystemError) {
    let flags = more ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT
    try systemCall("send") {
      unsafe bytes.withUnsafeBytes {
        unsafe zmq_send(pointer, $0.baseAddress, $0.count, flags)
      }
    }
  }

  /// Sends without a copy. libzmq retains `object` until the bytes are sent, and releases it on any
  /// thread.
  func send(
    sharing object: some SharedBytes,
    range: Range<Int>,
    lending: Lending?,
    more: Bool
  ) throws(SystemError) {
    let flags = more ? ZMQ_DONTWAIT | ZMQ_SNDMORE : ZMQ_DONTWAIT
    var message = zmq_msg_t()
    let place = lending?.lend(object)
    let reference = unsafe Unmanaged.passRetained(place ?? object as AnyObject)
    let release: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void
    if place == nil {
      unsafe release = { _, object in
        guard let object = unsafe object else { return }
        unsafe Unmanaged<AnyObject>.fromOpaque(object).release()
      }
    } else {
      unsafe release = { _, place in
        guard let place = unsafe place else { return }
        unsafe Unmanaged<Lending.Place>.fromOpaque(place).takeRetainedValue().giveBack()
      }
    }
    do throws(SystemError) {
      try systemCall("send") {
        object.withBytes { bytes in
          unsafe bytes.extracting(range).withUnsafeBytes { bytes in
            let part = unsafe UnsafeMutableRawBufferPointer(mutating: bytes)
            return unsafe zmq_msg_init_data(
              &message, part.baseAddress, part.count, release, reference.toOpaque())
          }
        }
      }
    } catch {
      unsafe release(nil, reference.toOpaque())
      throw error
    }
    do throws(SystemError) {
      try systemCall("send") { unsafe zmq_msg_send(&message, pointer, flags) }
    } catch {
      // Closing the message calls `release`, so the object must not be released here as well.
      unsafe zmq_msg_close(&message)
      throw error
    }
  }

  /// Receives the next part into `part`. Returns false if nothing waits; then `part` needs no
  /// close.
  func receive(into part: UnsafeMutablePointer<zmq_msg_t>) throws(SystemError) -> Bool {
    unsafe zmq_msg_init(part)
    var number: Int32
    repeat {
      if unsafe zmq_msg_recv(part, pointer, ZMQ_DONTWAIT) >= 0 { return true }
      number = errno
    } while number == EINTR
    unsafe zmq_msg_close(part)
    // EAGAIN ends every read of a queue, so it is handled without creating an error.
    guard number == EAGAIN else { throw SystemError(errno: number, operation: "receive") }
    return false
  }

  // MARK: Options

  func option<Value: FixedWidthInteger>(_ name: Int32, as type: Value.Type) throws(SystemError)
    -> Value
  {
    var value: Value = 0
    var size = MemoryLayout<Value>.size
    try systemCall("read option \(name)") {
      unsafe zmq_getsockopt(pointer, name, &value, &size)
    }
    return value
  }

  func bytes(_ name: Int32, capacity: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: capacity)
    var size = capacity
    try systemCall("read option \(name)") {
      unsafe zmq_getsockopt(pointer, name, &bytes, &size)
    }
    return Array(bytes.prefix(size))
  }

  func setOption(_ name: Int32, _ value: some FixedWidthInteger) throws(SystemError) {
    var value = value
    try systemCall("set option \(name)") {
      unsafe zmq_setsockopt(pointer, name, &value, MemoryLayout.size(ofValue: value))
    }
  }

  func setOption(_ name: Int32, _ bytes: [UInt8]) throws(SystemError) {
    try systemCall("set option \(name)") {
      unsafe zmq_setsockopt(pointer, name, bytes, bytes.count)
    }
  }
}
