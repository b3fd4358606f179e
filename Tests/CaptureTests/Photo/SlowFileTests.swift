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
      let thread = await HeldThread(of: camera.encoders)
      var order = PhotoOrder([PhotoFileOrder(.png)])
      order.pictures = 60
      let steps = camera.request(within: .seconds(60), order: order)
      await steps.wait {
        $0.count { $0.name == "captured" } == 60 || $0.contains(where: \.isFailed)
      }
      #expect(await camera.photo().last?.name == "processed")
      #expect(camera.pipeline.counters.poolExhausted == 0)
      #expect(!steps.events.contains { $0.isLast })
      try await thread.release()
      await steps.wait { $0.count(where: \.isFile) == 60 }
    }
  }

  @Test func `A single photo does not wait for all files of a burst`() async throws {
    try await TestCamera.with("320x240@60,format=YUYV") { camera in
      let (_, files) = try await burstAndSingle(of: camera, taken: 9)
      #expect(files.prefix(3).contains(2))
    }
  }

  @Test func `A single photo does not wait until a burst has all the memory that it needs`()
    async throws
  {
    try await TestCamera.with("320x240@60,format=YUYV") { camera in
      // There is room for one file at a time.
      let share = camera.encoders.memory.take(256 << 20 - 1)
      let (taken, _) = try await burstAndSingle(of: camera, taken: 1)
      #expect(taken.prefix(3).contains(2))
      _ = share
    }
  }

  /// Asks for a burst of frames of the past and for a photo of now, before a file can be made.
  /// - Parameter count: The pictures that can be taken meanwhile.
  /// - Returns: 1 for each picture and each file of the burst and 2 for the photo, in the order in
  ///   which they were taken and made.
  private func burstAndSingle(
    of camera: TestCamera, taken count: Int
  ) async throws -> (taken: [UInt64], files: [UInt64]) {
    let thread = await HeldThread(of: camera.encoders)
    let (files, taken, processing) = (Recorded<UInt64>(), Recorded<UInt64>(), Recorded<Int>())
    let pipeline = camera.pipeline
    let first = try #require(
      await camera.frameLoop.run { pipeline.ring.newest?.metadata.timestamp })
    for _ in 0..<10 { _ = await camera.photo(.next) }
    await camera.frameLoop.run {
      pipeline.photos.onLoadChange = { processing.add($0.processing) }
      for (ticket, pictures) in [(1, 8), (2, 1)] as [(UInt64, Int)] {
        var order = PhotoOrder([PhotoFileOrder(.png)])
        order.pictures = pictures
        pipeline.capture(
          PhotoRequest(
            ticket: ticket, timing: ticket == 1 ? .at(first) : .now, asked: .now,
            deadline: .now + .seconds(3600), order: order
          ) { step in
            if step.isFile { files.add(ticket) }
            if step.name == "captured" { taken.add(ticket) }
          })
      }
    }
    // The slow part of all that can be taken waits.
    await taken.wait { $0.count == count }
    await camera.frameLoop.run {}
    await processing.wait { $0.last == 0 }
    await camera.frameLoop.run { pipeline.photos.onLoadChange = nil }
    try await thread.release()
    await files.wait { $0.count == 9 }
    return (taken.events, files.events)
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

/// The thread that makes PNGs, while it makes none.
private struct HeldThread {
  private let end = DispatchSemaphore(value: 0)
  private let hold: Task<Void, any Error>

  init(of encoders: EncoderPool) async {
    let (begun, end) = (Recorded<Bool>(), end)
    hold = Task {
      try await encoders.pack { () throws(CaptureError) in
        begun.add(true)
        end.wait()
      }
    }
    await begun.wait { !$0.isEmpty }
  }

  func release() async throws {
    end.signal()
    try await hold.value
  }
}
