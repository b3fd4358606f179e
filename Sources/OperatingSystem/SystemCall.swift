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
  package var reason: String {
    operation.utf8.contains(0)
      ? "a path cannot contain a zero byte" : unsafe String(cString: strerror(errno))
  }

  @usableFromInline
  package var description: String {
    let words = operation.split(separator: "\0", omittingEmptySubsequences: false)
    return "\(words.joined(separator: #"\0"#)): \(reason)"
  }
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

/// Makes a system call that takes a path, and passes the path on to C. Every call that takes one
/// goes through here, because C would take the text before a zero byte for the whole path.
///
/// - Throws: As ``systemCall(_:_:)``; `EINVAL` for a path with a zero byte, without the call.
@discardableResult
package func systemCall<Result: SignedInteger>(
  _ operation: @autoclosure () -> String,
  at path: String,
  _ call: (CPath) -> Result
) throws(SystemError) -> Result {
  guard !path.utf8.contains(0) else { throw SystemError(errno: EINVAL, operation: operation()) }
  return try systemCall(operation()) { unsafe path.withCString { call(unsafe CPath(pointer: $0)) } }
}

/// A path as C takes it, for as long as a call lasts.
@safe package struct CPath {
  package let pointer: UnsafePointer<CChar>
}
