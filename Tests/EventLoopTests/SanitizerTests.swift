import EventLoop
import Foundation
import Testing

import struct Synchronization.Atomic

/// Deliberate faults, one a run, that prove that a sanitizer works, and a correct hand-over that the
/// thread sanitizer takes for a race by itself. `Tests/Sanitizers/run` uses them.
struct SanitizerTests {
  private static let fault = ProcessInfo.processInfo.environment["CAMERABUS_FAULT"]

  @Test(.enabled(if: fault == "race"))
  func `Two threads change a number without a lock`() {
    // @unchecked: wrong on purpose.
    final class Unguarded: @unchecked Sendable { var value = 0 }
    final class Begun: Sendable { let count = Atomic(0) }
    let number = Unguarded()
    // Both must run at the same time. Otherwise the loops' own locks might order them.
    let begun = Begun()
    let loops = [EventLoop(name: "one"), EventLoop(name: "other")]
    for loop in loops {
      loop.perform {
        begun.count.add(1, ordering: .relaxed)
        while begun.count.load(ordering: .relaxed) < loops.count {}
        // The sanitizer may miss two changes at exactly the same moment.
        for _ in 0..<1000 { number.value += 1 }
      }
    }
    for loop in loops { loop.stop() }
  }

  @Test(.enabled(if: fault == "use-after-free"))
  func `Memory is used after it was freed`() {
    let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    unsafe number.initialize(to: 1)
    unsafe number.deallocate()
    unsafe number.pointee += 1
  }

  @Test(.enabled(if: fault == "leak"))
  func `Memory is leaked`() {
    for _ in 0..<100 {
      unsafe UnsafeMutablePointer<Int>.allocate(capacity: 100).initialize(to: 1)
    }
  }

  @Test func `What was written before a continuation was resumed is no race`() async {
    // @unchecked: the continuation hands it over.
    final class Written: @unchecked Sendable { var value = 0 }
    final class Resumed: Sendable { let flag = Atomic(false) }
    let resumed = Resumed()
    let loop = EventLoop(name: "writer")
    let written = await withCheckedContinuation { continuation in
      loop.perform {
        let written = Written()
        written.value = 7
        continuation.resume(returning: written)
        resumed.flag.store(true, ordering: .relaxed)
      }
      // The task awaits the continuation after it was resumed.
      while !resumed.flag.load(ordering: .relaxed) {}
    }
    #expect(written.value == 7)
    loop.stop()
  }
}
