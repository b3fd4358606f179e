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

  /// How much free memory stays at the end of each arena.
  private static let freeAtEnd: Int32 = 4 << 20

  /// Lets no arena keep much free memory at its end, however large the blocks were that it had.
  /// Call it once, before there are threads.
  package static func boundFreeMemory() { CLinux_boundFreeMemory(freeAtEnd) }

  /// Gives freed memory back to the system, which otherwise happens only at the end of each arena.
  package static func trim() { CLinux_trimMemory() }
}
