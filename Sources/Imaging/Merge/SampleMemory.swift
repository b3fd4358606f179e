/// Memory for samples, sums or cells. It is kept between pictures and grows only when a picture
/// needs more.
@safe final class SampleMemory {
  private var memory = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

  deinit {
    unsafe memory.deallocate()
  }

  /// Returns room for `count` values, valid until the next call. Their values are undefined.
  func values<Value: BitwiseCopyable>(
    _ count: Int, of type: Value.Type = Value.self
  ) -> UnsafeMutablePointer<Value> {
    unsafe bytes(count * MemoryLayout<Value>.stride)
      .bindMemory(to: type, capacity: count)
  }

  /// Returns room for bytes, valid until the next call, at an address for any type.
  func bytes(_ count: Int) -> UnsafeMutableRawPointer {
    if unsafe memory.count < count {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: count, alignment: 64)
    }
    guard let start = unsafe memory.baseAddress else {
      preconditionFailure("samples of \(count) bytes have no address")
    }
    return unsafe start
  }
}
