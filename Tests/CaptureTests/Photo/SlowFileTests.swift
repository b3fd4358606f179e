import Dispatch
import TestSupport
import Testing

@testable import Capture

/// Files of photos that take long to make.
@Suite(.timeLimit(.minutes(5)))
struct SlowFileTests {
  /// So many are more than the frames that may be in use.
  @Test func `Files that wait for their slow part hold no frames`() async throws {
    try await TestCamera.with("320x240@60,format=YUYV") { camera in
      let (encoders, release) = (camera.encoders, DispatchSemaphore(value: 0))
      async let hold: Void = encoders.pack { () throws(CaptureError) in release.wait() }
      var order = PhotoOrder([PhotoFileOrder(.png)])
      order.pictures = 60
      let steps = camera.request(within: .seconds(60), order: order)
      await steps.wait {
        $0.count { $0.name == "captured" } == 60 || $0.contains(where: \.isFailed)
      }
      #expect(await camera.photo().last?.name == "processed")
      #expect(camera.pipeline.counters.poolExhausted == 0)
      #expect(!steps.events.contains { $0.isLast })
      release.signal()
      try await hold
      await steps.wait { $0.count(where: \.isFile) == 60 }
    }
  }
}
