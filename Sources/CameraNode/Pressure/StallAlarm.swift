import EventLoop
import Glibc
import OperatingSystem

/// Is told by the kernel when all programs wait for memory.
///
/// The kernel looks at windows of two seconds, the shortest that every user may ask for (since
/// Linux 6.4; before that only root may ask), and tells at most once in a window. Its event is a
/// reason to look and no measurement: the first one may come soon after the start, however little
/// programs waited (seen on Linux 6.18: 0.2 ms of two seconds).
final class StallAlarm {
  private static let window = Duration.seconds(2)

  private let file: FileDescriptor
  private var watch: Watch?

  /// - Returns: Nil if the kernel tells this process nothing.
  init?(
    _ meter: StallMeter, on loop: EventLoop, _ onStall: @escaping @Sendable () -> Void
  ) {
    let stall = Self.window * StallMeter.firstShare
    let trigger =
      "\(StallResource.memory.counted) \(stall.microseconds) \(Self.window.microseconds)\0"
    do throws(SystemError) {
      file = try FileDescriptor(meter.path, O_RDWR | O_NONBLOCK)
      try unsafe file.write(Array(trigger.utf8).span.bytes)
    } catch {
      return nil
    }
    watch = loop.watch(file.rawValue, for: .priority, onStall)
  }

  func cancel() { watch?.cancel() }
}

extension Duration {
  fileprivate var microseconds: Int64 { wholeNanoseconds / 1000 }
}
