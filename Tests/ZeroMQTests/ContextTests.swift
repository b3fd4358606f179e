import CLinux
import Foundation
import Testing
import ZeroMQ

struct ContextTests {
  /// The threads include those of other tests in this process.
  @Test(.enabled(if: CLinux_slice(0) > 0))
  func `The threads of libzmq have short time slices`() async throws {
    try await withBench { bench, context in
      // A received message proves that the thread exists.
      let (left, right) = try connectedPair(context, bench.loop, .tcp)
      #expect(try left.send("hello"))
      #expect(try await right.receiveTexts() == ["hello"])
      let slices = slices(ofThreadsCalled: "ZMQbg/IO/")
      #expect(!slices.isEmpty && slices.allSatisfy { $0 == 300_000 })
    }
  }

  private func slices(ofThreadsCalled prefix: String) -> [UInt64] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return threads.compactMap(Int32.init).compactMap { thread in
      let name = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
      guard name?.hasPrefix(prefix) == true else { return nil }
      // A thread that has ended meanwhile has no slice.
      let slice = CLinux_slice(thread)
      return slice > 0 ? slice : nil
    }
  }
}
