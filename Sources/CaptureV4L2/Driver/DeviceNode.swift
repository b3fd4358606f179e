import CVideo4Linux
import EventLoop
import Glibc
import OperatingSystem

/// What makes a driver's requests: an open device node.
protocol RequestNode: AnyObject, Sendable {
  var path: String { get }
  /// Makes a request. The driver reads the argument and writes its answer into it.
  func perform<Argument>(
    _ request: Request<Argument>, _ argument: inout Argument
  ) throws(SystemError)
}

extension RequestNode {
  /// Makes a request that old drivers may lack. Returns whether it succeeded.
  func attempt<Argument>(_ request: Request<Argument>, _ argument: inout Argument) -> Bool {
    (try? perform(request, &argument)) != nil
  }

  /// Makes a request for which one error number is a regular answer, such as the end of a list
  /// (`EINVAL`) or an empty queue (`EAGAIN`).
  /// - Returns: False if the driver answered with that number.
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

/// An open device node. The descriptor is closed with the last reference.
///
/// The kernel serialises requests, so any thread may make them.
final class DeviceNode: RequestNode {
  let path: String
  let descriptor: Int32

  /// Opens the node for reading and writing, in non-blocking mode.
  init(path: String) throws(SystemError) {
    self.path = path
    descriptor = try systemCall("open", at: path) { unsafe cvideo4linux_open($0.pointer) }
  }

  deinit {
    close(descriptor)
  }

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
}

/// The text in a fixed C array, up to its first zero.
func text<Characters>(in characters: Characters) -> String {
  unsafe withUnsafeBytes(of: characters) { bytes in
    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
