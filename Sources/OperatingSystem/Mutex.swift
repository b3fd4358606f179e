public import Glibc

// Sendable: `value` is touched only while `lock` is held; both pointers never change.
/// A value that one thread at a time may touch.
///
/// `Synchronization.Mutex` would do, but the thread sanitizer does not know it (Swift 6.3 on Linux) and reports
/// races that are none; it knows this one. It is inlinable, for what is generic is slow otherwise. The lock does not nest: taking it again inside `withLock` deadlocks.
@usableFromInline
@safe package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // On the heap, for both need one address for life.
  @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let value: UnsafeMutablePointer<Value>

  @inlinable
  package init(_ initial: consuming sending Value) {
    unsafe lock = .allocate(capacity: 1)
    unsafe lock.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(lock, nil)
    unsafe value = .allocate(capacity: 1)
    unsafe value.initialize(to: initial)
  }

  @inlinable
  deinit {
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
    unsafe pthread_mutex_destroy(lock)
    unsafe lock.deallocate()
  }

  /// Calls `body` with the value while no one else holds it. Keep it short: others wait.
  @inlinable
  package borrowing func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return try unsafe body(&value.pointee)
  }
}
