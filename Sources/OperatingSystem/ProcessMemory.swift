import CLinux
import Glibc

/// The memory of this process.
package enum ProcessMemory {
  /// The bytes that are in the machine's memory; nil without `/proc`.
  package static var resident: Int? {
    let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let text = unsafe [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
      count = max(0, unsafe read(file, buffer.baseAddress, 128))
    }
    let numbers = text.split(separator: UInt8(ascii: " "))
    guard numbers.count > 1 else { return nil }
    return Int(String(decoding: numbers[1], as: UTF8.self)).map {
      $0 * sysconf(Int32(_SC_PAGESIZE))
    }
  }

  /// Keeps every arena from holding much free memory at its end, however large the blocks were that
  /// it had.
  /// Call it once, before there are threads.
  /// - Parameter encrypts: Whether libzmq encrypts: then it makes a copy of each frame, whose
  ///   memory would otherwise go back to the system and come again, page by page, for every frame.
  package static func boundFreeMemory(encrypts: Bool) {
    CLinux_boundFreeMemory(encrypts ? 32 << 20 : 4 << 20)
  }

  /// Gives freed memory back to the system, which otherwise happens only at the end of each arena.
  package static func trim() { CLinux_trimMemory() }
}
