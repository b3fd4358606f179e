import Glibc
import OperatingSystem

/// A descriptor that takes the lines of the log.
///
/// The node logs on the threads that serve requests, so it never waits long for a reader of the log
/// that has stopped: after a moment it drops lines, and says how many when there is room again.
final class LogOutlet: Sendable {
  /// What a pipe takes at once when it has any room (`PIPE_BUF`).
  private static let lineLimit = 4096
  /// How long the first line of a full pipe waits.
  private static let patience: Int32 = 100

  private let descriptor: Int32
  private let name: String
  private let lostLines = Mutex(0)

  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  /// Writes a line, or counts it as lost.
  /// - Parameter report: Makes a line that tells how many were lost before.
  func write(_ line: String, lost report: (_ count: Int) -> String) {
    lostLines.withLock { lost in
      if lost > 0, hasRoom(within: 0) {
        write(report(lost))
        lost = 0
      }
      if lost == 0, hasRoom(within: Self.patience) {
        write(line)
      } else {
        lost += 1
      }
    }
  }

  private func hasRoom(within milliseconds: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    // Where nothing can be written any more, the write fails instead of waiting.
    return unsafe Glibc.poll(&poll, 1, milliseconds) != 0
  }

  private func write(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    let end = Array(" ...\n".utf8)
    let fitting =
      bytes.count <= Self.lineLimit ? bytes : bytes.prefix(Self.lineLimit - end.count) + end
    // Where nobody can read the log, the program goes on without it.
    unsafe try? FileDescriptor.write(fitting.span.bytes, to: descriptor, at: name)
  }
}
