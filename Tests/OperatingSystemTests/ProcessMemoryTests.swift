import Glibc
import OperatingSystem
import Testing

struct ProcessMemoryTests {
  @Test func `Freed memory at the end of an arena goes back to the system`() async {
    await #expect(processExitsWith: .success) {
      ProcessMemory.boundFreeMemory()
      // By default malloc would keep twice the size of such a block from now on.
      unsafe free(block(of: 30 << 20))
      let blocks = unsafe (0..<20).map { _ in unsafe block(of: 1 << 20) }
      let before = try #require(ProcessMemory.resident)
      for block in unsafe blocks { unsafe free(block) }
      #expect(try #require(ProcessMemory.resident) < before - 12 << 20)
    }
  }
}

/// Memory that is used.
private func block(of byteCount: Int) -> UnsafeMutableRawPointer? {
  let block = unsafe malloc(byteCount)
  unsafe memset(block, 1, byteCount)
  return unsafe block
}
