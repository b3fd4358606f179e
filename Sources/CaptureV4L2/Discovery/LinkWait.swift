import Glibc
import OperatingSystem

/// Waits for the links of a device node. Only a thread that may block does this.
struct LinkWait {
  /// The folders in which udev makes links and writes its entries, and those above them, because a
  /// folder may be made with its first link.
  let folders: [String]

  private static let kinds = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE)

  /// Waits until the condition holds, which is asked again whenever something is made in one of the
  /// folders.
  func wait(until deadline: MonotonicTime, _ isDone: () -> Bool) {
    guard
      let descriptor = try? systemCall(
        "inotify_init", { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) })
    else { return sleepOnce(until: deadline, isDone) }
    defer { close(descriptor) }
    while true {
      // A folder that is watched already stays so. Watch first, then look.
      for folder in folders {
        _ = try? systemCall("watch \(folder)", at: folder) {
          unsafe inotify_add_watch(descriptor, $0.pointer, Self.kinds)
        }
      }
      let left = deadline - .now
      guard !isDone(), left > .zero else { return }
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&request, 1, Self.milliseconds(left))
      drain(descriptor)
    }
  }

  /// Without room for another watch there is no event to wait for.
  private func sleepOnce(until deadline: MonotonicTime, _ isDone: () -> Bool) {
    let left = deadline - .now
    guard !isDone(), left > .zero else { return }
    _ = poll(nil, 0, Self.milliseconds(left))
  }

  private func drain(_ descriptor: Int32) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while unsafe read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int32 {
    Int32(clamping: duration.wholeNanoseconds / 1_000_000 + 1)
  }
}
