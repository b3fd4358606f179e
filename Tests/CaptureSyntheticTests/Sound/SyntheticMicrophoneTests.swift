import Capture
import EventLoop
import OperatingSystem
import TestSupport
import Testing

@testable import CaptureSynthetic

@Suite struct SyntheticMicrophoneTests {
  @Test func `It hears a beep at the beginning of each second, by its own rate`() async throws {
    let microphone = try SyntheticMicrophone.parse("rate=8000,channels=2,drift=-500ppm")
    let loop = EventLoop(name: "synthetic microphone")
    defer { loop.stop() }
    let chunks = Recorded<SoundChunk>()
    // @unchecked: only the loop uses it.
    final class Place: @unchecked Sendable { var device: (any OpenSoundDevice)? }
    let place = Place()
    loop.performAndWait {
      place.device = try? microphone.open(
        on: loop, onSound: { chunks.add($0) }, onEnd: { _ in })
    }
    // A whole second and more.
    await chunks.wait { $0.reduce(0) { $0 + $1.samples.count } >= 2 * 8000 * 5 / 4 }
    loop.performAndWait { place.device?.close() }
    #expect(place.device?.format == SoundFormat(rate: 8000, channels: 2))
    let received = chunks.events
    #expect(received.map(\.isFirst) == [true] + received.dropFirst().map { _ in false })
    let stamp = try #require(received.last).stamp
    for chunk in received {
      for (index, sample) in chunk.samples.enumerated() {
        let number = chunk.first + Int64(index / 2)
        let time =
          stamp.time
          - .nanoseconds(Int64(Double(stamp.number - number) * 1e9 / (8000 * (1 - 500e-6))))
        let phase = Double(time.nanoseconds % 1_000_000_000) / 1e9
        // Quiet moments are unmistakable, and so is that there are loud ones.
        if (0.101..<0.999).contains(phase) { #expect(sample == 0) }
      }
    }
    #expect(received.contains { $0.samples.contains { $0 > 8000 } })
  }

  @Test(arguments: [
    "rate=7", "channels=3", "drift=5", "lasts=-2s", "inuse=yes", "noise=on",
  ])
  func `A wrong option is refused with the right ones`(text: String) {
    let error = #expect(throws: CaptureError.self) { try SyntheticMicrophone.parse(text) }
    #expect(error?.code == .invalidArgument)
  }
}
