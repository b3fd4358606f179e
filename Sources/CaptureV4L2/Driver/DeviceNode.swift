import CVideo4Linux
import EventLoop
import Glibc

/// An open device node. The descriptor is closed with the last reference.
///
/// The kernel serialises requests, so that any thread may make them.
final class DeviceNode: Sendable {
  let path: String
  let descriptor: Int32

  /// Opens the node for reading and writing, never blocking.
  init(path: String) throws(SystemError) {
    self.path = path
    descriptor = try systemCall("open") { unsafe cvideo4linux_open(path) }
  }

  deinit {
    close(descriptor)
  }

  /// Makes a request; the driver reads its argument and writes its answer into it.
  func perform<Argument>(
    _ request: Request<Argument>,
    _ argument: inout Argument
  ) throws(SystemError) {
    try systemCall(request.name) {
      unsafe withUnsafeMutablePointer(to: &argument) {
        unsafe cvideo4linux_ioctl(descriptor, request.number, $0)
      }
    }
  }

  /// Makes a request that may well fail, for old drivers lack it: whether it was granted.
  func attempt<Argument>(_ request: Request<Argument>, _ argument: inout Argument) -> Bool {
    (try? perform(request, &argument)) != nil
  }

  /// Makes a request that one error number answers too: the end of a list (`EINVAL`), an empty queue (`EAGAIN`).
  /// - Returns: False when that number was the answer.
  func perform<Argument>(
    _ request: Request<Argument>,
    _ argument: inout Argument,
    until end: Int32
  ) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try perform(request, &argument)
      return true
    } catch  where error.errno == end {
      return false
    }
  }
}

/// The text in a fixed array of C, which ends at the first zero.
func text<Characters>(in characters: Characters) -> String {
  unsafe withUnsafeBytes(of: characters) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
