import EventLoop
import Glibc

/// The memory of one of the driver's buffers, mapped for as long as this lives.
@safe final class MappedBuffer {
  private let memory: UnsafeRawBufferPointer

  /// Maps the buffer that the driver calls by this offset.
  init(byteCount: UInt32, offset: UInt32, of node: DeviceNode) throws(SystemError) {
    let length = Int(byteCount)
    let address = try systemCall("mmap") {
      // Writable because some drivers insist on it; nothing writes.
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
    unsafe memory = UnsafeRawBufferPointer(
      start: UnsafeRawPointer(bitPattern: address),
      count: length
    )
  }

  deinit {
    unsafe munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count)
  }

  var byteCount: Int { unsafe memory.count }

  /// The first bytes of the buffer, which must be dequeued: before that the driver writes it.
  func withBytes<R, E: Error>(
    count: Int,
    _ body: (RawSpan) throws(E) -> R
  ) throws(E) -> R {
    precondition(count <= byteCount, "a driver cannot have filled more than its buffer")
    return try body(
      unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: memory[0..<count]))
    )
  }
}
