/// Memory that a codec keeps between pictures: grows when the shape does, never per picture.
@safe final class Scratch {
  private var memory = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

  deinit {
    unsafe memory.deallocate()
  }

  /// Room for `count` bytes; what was in it before is lost.
  func bytes(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    if unsafe memory.count < count {
      unsafe memory.deallocate()
      unsafe memory = .allocate(capacity: count)
    }
    guard let base = unsafe memory.baseAddress else {
      preconditionFailure("scratch of \(count) bytes has no address")
    }
    return unsafe base
  }
}
