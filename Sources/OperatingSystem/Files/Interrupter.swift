import CLinux
import Glibc

/// Ends a call that waits for a pipe or a device, from any thread.
///
/// A pipe may let its writer wait for ever: for the first reader, for room. A thread that waits in
/// the kernel cannot be cancelled, so these calls wait here.
package final class Interrupter: Sendable {
  private let descriptor: Int32

  package init() throws(SystemError) {
    descriptor = try systemCall("eventfd") { CLinux_eventfd() }
  }

  deinit { Glibc.close(descriptor) }

  /// Ends the call that waits now, and every later one.
  package func interrupt() {
    var one: UInt64 = 1
    _ = unsafe Glibc.write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Waits for one of these events of poll(2), or for a failure, which the next call then reports.
  /// - Throws: `ECANCELED` after ``interrupt()``.
  static func wait(
    for events: Int32,
    on descriptor: Int32,
    until interrupter: Interrupter?
  ) throws(SystemError) {
    var descriptors = [pollfd(fd: descriptor, events: Int16(events), revents: 0)]
    if let interrupter { descriptors.append(interrupter.poll) }
    try wait(for: &descriptors, milliseconds: -1)
    try interrupter?.check()
  }

  /// Waits for so long.
  /// - Throws: `ECANCELED` after ``interrupt()``.
  package func pause(milliseconds: Int32) throws(SystemError) {
    var descriptors = [poll]
    try Self.wait(for: &descriptors, milliseconds: milliseconds)
    try check()
  }

  private var poll: pollfd { pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) }

  private func check() throws(SystemError) {
    var descriptors = [poll]
    guard try Self.wait(for: &descriptors, milliseconds: 0) == 0 else {
      throw SystemError(errno: ECANCELED, operation: "wait")
    }
  }

  @discardableResult
  private static func wait(
    for descriptors: inout [pollfd],
    milliseconds: Int32
  ) throws(SystemError) -> Int32 {
    try systemCall("poll") {
      unsafe Glibc.poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    }
  }
}
