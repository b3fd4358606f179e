public import Glibc

/// A system call that failed, and why.
@usableFromInline
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kernel's error number, such as `EBUSY`.
  package var errno: Int32
  /// What was called, such as `open /dev/video0`.
  package var operation: String

  @usableFromInline
  package init(errno: Int32, operation: String) {
    self.errno = errno
    self.operation = operation
  }

  /// The kernel's words for the error number.
  package var reason: String { unsafe String(cString: strerror(errno)) }

  @usableFromInline
  package var description: String { "\(operation): \(reason) (errno \(errno))" }
}

/// Makes a system call that answers -1 and sets `errno` when it fails, again for as long as signals interrupt it.
///
/// - Parameter operation: What is called, for the error's text; made only when the call fails.
/// - Throws: Every failure but `EINTR`, `EAGAIN` among them.
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
