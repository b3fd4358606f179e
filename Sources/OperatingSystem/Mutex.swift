public import Glibc

/// A value that one thread at a time may use.
///
/// This replaces `Synchronization.Mutex`, in which the thread sanitizer finds races that do not
/// exist (Swift 6.3 on Linux). It is inlinable, because generic code is slow otherwise. The lock
/// does not nest: taking it again inside `withLock` deadlocks.
// @unchecked: `value` is used only while `lock` is held, and the two pointers never change.
@usableFromInline @safe package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Both are on the heap, because their addresses must never change.
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

  /// Calls `body` with the value while no other thread uses it. Keep `body` short, because others
  /// wait.
  @inlinable
  package borrowing func withLock<R: ~Copyable, E: Error>(
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return try unsafe body(&value.pointee)
  }
}
