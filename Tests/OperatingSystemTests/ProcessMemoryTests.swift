import Glibc
import OperatingSystem
import Testing

struct ProcessMemoryTests {
  @Test func `Freed memory at the end of an arena goes back to the system`() async {
    await #expect(processExitsWith: .success) {
      ProcessMemory.boundFreeMemory()
      // By default malloc would keep twice the size of such a block from now on.
      unsafe block(of: 30 << 20).deallocate()
      let blocks = unsafe (0..<20).map { _ in unsafe block(of: 1 << 20) }
      let before = try #require(ProcessMemory.resident)
      for unsafe block in unsafe blocks { unsafe block.deallocate() }
      #expect(try #require(ProcessMemory.resident) < before - 12 << 20)
    }
  }
}

/// Memory that is used.
private func block(of byteCount: Int) -> UnsafeMutableRawPointer {
  let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
  unsafe memset(block, 1, byteCount)
  return unsafe block
}
