import Glibc
import OperatingSystem

/// The mapped memory of one driver buffer. It is unmapped with the last reference.
@safe final class MappedBuffer {
  private let memory: UnsafeMutableRawBufferPointer

  /// Maps the buffer at this offset, which identifies it to the driver.
  init(byteCount: UInt32, offset: UInt32, of node: DeviceNode) throws(SystemError) {
    let length = Int(byteCount)
    let address = try systemCall("mmap") {
      // Writable, because some conversions work in place.
      Int(
        bitPattern: unsafe mmap(
          nil,
          length,
          PROT_READ | PROT_WRITE,
          MAP_SHARED,
          node.descriptor,
          off_t(offset)
        )
      )
    }
    unsafe memory = UnsafeMutableRawBufferPointer(
      start: UnsafeMutableRawPointer(bitPattern: address),
      count: length
    )
  }

  deinit {
    unsafe munmap(memory.baseAddress, memory.count)
  }

  var byteCount: Int { unsafe memory.count }

  /// Calls `body` with some bytes of the buffer, which must be dequeued. Before that the driver may
  /// write to it.
  func withBytes<R, E: Error>(
    _ range: Range<Int>,
    _ body: (inout MutableRawSpan) throws(E) -> R
  ) throws(E) -> R {
    precondition(range.upperBound <= byteCount, "a driver cannot have filled more than its buffer")
    var span = unsafe MutableRawSpan(
      _unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: memory[range])
    )
    return try body(&span)
  }
}
