import Glibc

/// A picture at the start of a page, as in a buffer that a driver maps. Copying from an odd address
/// takes a third longer.
// @unchecked: immutable once made.
@safe final class DriverMemory: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer

  init(_ bytes: RawSpan) {
    unsafe memory = .allocate(byteCount: bytes.byteCount, alignment: Int(getpagesize()))
    unsafe bytes.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
  }

  deinit {
    unsafe memory.deallocate()
  }

  var byteCount: Int { unsafe memory.count }

  func withBytes(_ body: (RawSpan) -> Void) {
    body(unsafe RawSpan(_unsafeBytes: memory))
  }
}
