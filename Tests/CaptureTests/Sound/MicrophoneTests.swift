import EventLoop
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

@Suite struct MicrophoneTests {
  /// A device that does what a test says.
  // @unchecked: only the loop uses the variables.
  private final class Scripted: SoundDevice, OpenSoundDevice, @unchecked Sendable {
    let format = SoundFormat(rate: 1000, channels: 1)
    var error: SoundError?
    let opened = Recorded<Void>()
    /// When it was opened well.
    let delivers = Recorded<Void>()
    var closed = 0
    var onSound: (SoundChunk) -> Void = { _ in }
    var onEnd: (SoundError) -> Void = { _ in }

    func open(
      on loop: EventLoop, onSound: @escaping (SoundChunk) -> Void,
      onEnd: @escaping (SoundError) -> Void
    ) throws(SoundError) -> any OpenSoundDevice {
      opened.add()
      if let error { throw error }
      (self.onSound, self.onEnd) = (onSound, onEnd)
      delivers.add()
      return self
    }

    func close() { closed += 1 }

    func deliver(_ first: Int64, at milliseconds: Int64, isFirst: Bool = false) {
      let time = MonotonicTime(nanoseconds: milliseconds * 1_000_000)
      onSound(
        SoundChunk(
          samples: [Int16](repeating: 1, count: 20), first: first,
          stamp: .init(number: first + 20, time: time + .milliseconds(20)), isFirst: isFirst))
    }
  }

  private final class Listener: SoundConsumer {
    let packets = Recorded<SoundPacket>()
    func receive(_ sound: SoundPacket) { packets.add(sound) }
  }

  private let loop = EventLoop(name: "microphone test")
  private let device = Scripted()
  private let changes = Recorded<Void>()

  private func microphone() -> Microphone {
    Microphone(
      name: "desk", device: device, on: loop, pause: .milliseconds(1), patience: .milliseconds(50)
    ) { [changes] in changes.add() }
  }

  @Test func `It is open while somebody listens, and once for all`() {
    defer { loop.stop() }
    let (microphone, first, second) = (microphone(), Listener(), Listener())
    loop.performAndWait { [device] in
      #expect(microphone.add(first) == nil && microphone.add(second) == nil)
      device.deliver(0, at: 1000, isFirst: true)
      #expect(device.opened.events.count == 1 && microphone.status.format?.rate == 1000)
      microphone.remove(first)
      device.deliver(20, at: 1020)
      #expect(device.closed == 0 && microphone.status.consumers == 1)
      microphone.remove(second)
      #expect(device.closed == 1 && microphone.status == Microphone.Status())
    }
    #expect(first.packets.events.map(\.start.nanoseconds) == [1_000_000_000])
    #expect(second.packets.events.map(\.start.nanoseconds) == [1_000_000_000, 1_020_000_000])
  }

  @Test func `It is opened again and again while another program has it`() async {
    defer { loop.stop() }
    let (microphone, listener) = (microphone(), Listener())
    loop.performAndWait { [device] in
      device.error = SoundError(.inUse, "it is in use")
      #expect(microphone.add(listener)?.cause == .inUse)
    }
    await changes.atLeast(1)
    await device.opened.atLeast(3)
    loop.performAndWait { [device] in
      #expect(microphone.status.error?.cause == .inUse && microphone.status.format == nil)
      device.error = nil
    }
    await device.delivers.atLeast(1)
    loop.performAndWait { [device] in device.deliver(0, at: 1000, isFirst: true) }
    await changes.atLeast(2)
    #expect(microphone.status.error == nil && listener.packets.events.count == 1)
    loop.performAndWait { microphone.remove(listener) }
  }

  @Test func `It says when it was unplugged, and what was lost`() async {
    defer { loop.stop() }
    let (microphone, listener) = (microphone(), Listener())
    loop.performAndWait { [device] in
      microphone.add(listener)
      device.deliver(0, at: 1000, isFirst: true)
      // An overrun of 100 ms.
      device.deliver(0, at: 1120, isFirst: true)
      #expect(microphone.status.lost == 100)
      device.error = SoundError(.disconnected, "it is gone")
      device.onEnd(SoundError(.disconnected, "it is gone"))
      #expect(microphone.status.error?.cause == .disconnected && device.closed == 1)
    }
    await changes.atLeast(1)
    loop.performAndWait { microphone.remove(listener) }
  }

  @Test func `A device that delivers nothing is stalled`() async {
    defer { loop.stop() }
    let (microphone, listener) = (microphone(), Listener())
    loop.performAndWait { [device] in
      microphone.add(listener)
      device.error = SoundError(.stalled, "still nothing")
    }
    await changes.atLeast(1)
    #expect(microphone.status.error?.cause == .stalled)
    loop.performAndWait { microphone.remove(listener) }
  }
}
