import EventLoop
import Foundation
import Testing

import struct Synchronization.Atomic

/// Deliberate faults, one a run, that prove that a sanitizer works. `Tests/Sanitizers/run` uses
/// them.
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
}
