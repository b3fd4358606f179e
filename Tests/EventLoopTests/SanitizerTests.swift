import EventLoop
import Foundation
import Testing

import struct Synchronization.Atomic

/// Faults made on purpose, one a run, to prove that a sanitizer is awake: `Tests/Sanitizers/run`.
struct SanitizerTests {
  private static let fault = ProcessInfo.processInfo.environment["CAMERABUS_FAULT"]

  @Test(.enabled(if: fault == "race"))
  func `Two threads touch a number that nothing guards`() {
    // @unchecked: a lie.
    final class Unguarded: @unchecked Sendable { var value = 0 }
    final class Begun: Sendable { let count = Atomic(0) }
    let number = Unguarded()
    // Neither may begin when the other has ended: then the loops' own locks might have put them in
    // order.
    let begun = Begun()
    let loops = [EventLoop(name: "one"), EventLoop(name: "other")]
    for loop in loops {
      loop.perform {
        begun.count.add(1, ordering: .relaxed)
        while begun.count.load(ordering: .relaxed) < loops.count {}
        // Of two that come in the very same moment the sanitizer may see neither.
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
  func `Memory is forgotten`() {
    for _ in 0..<100 {
      unsafe UnsafeMutablePointer<Int>.allocate(capacity: 100).initialize(to: 1)
    }
  }
}
