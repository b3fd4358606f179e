public import Glibc

/// A failed system call and its error number.
@usableFromInline
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kernel's error number, such as `EBUSY`.
  package var errno: Int32
  /// The call and its object, such as `open /dev/video0`.
  package var operation: String

  @usableFromInline
  package init(errno: Int32, operation: String) {
    self.errno = errno
    self.operation = operation
  }

  /// The system's text for the error number.
  package var reason: String { unsafe String(cString: strerror(errno)) }

  @usableFromInline
  package var description: String { "\(operation): \(reason) (errno \(errno))" }
}

/// Makes a system call that returns -1 and sets `errno` if it fails. If a signal interrupts the
/// call, it is repeated.
///
/// - Parameter operation: The call and its object, for the error's text. It is evaluated only if
///   the call fails.
/// - Throws: Every failure except `EINTR`. `EAGAIN` is a failure too.
@inlinable
@discardableResult
package func systemCall<Result: SignedInteger>(
  _ operation: @autoclosure () -> String,
  _ call: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = call()
    guard result == -1 else { return result }
    let number = Glibc.errno
    guard number == EINTR else { throw SystemError(errno: number, operation: operation()) }
  }
}
