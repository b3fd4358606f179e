import Dispatch
import EventLoop
import OperatingSystem
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
      let held = Recorded<Bool>()
      async let hold: Void = encoders.pack { () throws(CaptureError) in
        held.add(true)
        release.wait()
      }
      await held.wait { !$0.isEmpty }
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

  @Test func `A single photo does not wait for all files of a burst`() async throws {
    try await TestCamera.with("320x240@60,format=YUYV", takeTurns)
  }

  private func takeTurns(_ camera: TestCamera) async throws {
    let (encoders, release) = (camera.encoders, DispatchSemaphore(value: 0))
    let held = Recorded<Bool>()
    async let hold: Void = encoders.pack { () throws(CaptureError) in
      held.add(true)
      release.wait()
    }
    await held.wait { !$0.isEmpty }
    // The photos of the files, in the order in which those are made.
    let (files, taken) = (Recorded<UInt64>(), Recorded<UInt64>())
    let processing = Recorded<Int>()
    let pipeline = camera.pipeline
    await camera.frameLoop.run {
      pipeline.photos.onLoadChange = { processing.add($0.processing) }
    }
    for (ticket, pictures) in [(1, 10), (2, 1)] as [(UInt64, Int)] {
      var order = PhotoOrder([PhotoFileOrder(.png)])
      order.pictures = pictures
      let request = PhotoRequest(
        ticket: ticket, timing: .next, asked: .now, deadline: .now + .seconds(3600), order: order
      ) { step in
        if step.isFile { files.add(ticket) } else if step.name == "captured" { taken.add(ticket) }
      }
      await camera.frameLoop.run { pipeline.capture(request) }
      await taken.wait { taken in taken.count { $0 == ticket } == pictures }
    }
    // Their slow parts wait.
    await camera.frameLoop.run {}
    await processing.wait { $0.last == 0 }
    await camera.frameLoop.run { pipeline.photos.onLoadChange = nil }
    release.signal()
    try await hold
    await files.wait { $0.count == 11 }
    #expect(files.events.prefix(3).contains(2))
  }

  @Test func `Owners take turns, and each keeps its own order`() {
    var turns = Turns<Character, Int>()
    for (owner, element) in zip("aaabbc", 1...) { turns.append(element, of: owner) }
    var order: [Int] = []
    while let next = turns.next() {
      order.append(next)
      if next == 4 { turns.append(7, of: "c") }
    }
    #expect(order == [1, 4, 6, 2, 5, 7, 3])
    turns.append(8, of: "a")
    #expect(turns.next() == 8 && turns.next() == nil)
  }
}
