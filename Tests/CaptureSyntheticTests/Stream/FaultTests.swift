import EventLoop
import Capture
import CaptureSynthetic
import TestSupport
import Testing

struct FaultTests {
  private static let specification = "160x120@100,format=GREY"

  private func isPicture(_ event: RecordingReceiver.Event) -> Bool {
    if case .picture = event { true } else { false }
  }

  /// The losses before the first picture, if a counting fault is set to 3 before the stream starts.
  private func lost(
    _ specification: String,
    _ control: String
  ) async throws -> (counts: [FrameLoss: Int], first: Picture) {
    try await Rig.run(specification, controls: [control: 3]) { rig in
      let events = await rig.receiver.events(through: isPicture)
      guard case .picture(let picture) = events.last else { throw RigError.noPicture }
      var counts: [FrameLoss: Int] = [:]
      for case .lost(let count, let reason) in events { counts[reason, default: 0] += count }
      let total = UInt64(counts.values.reduce(0, +))
      #expect(picture.metadata.sequence == total + 1, "every frame is accounted for")
      #expect(try rig.value(control) == .integer(0))
      #expect(events.contains(.controlChanged(ControlID(rawValue: control))))
      return (counts, picture)
    }
  }

  @Test func `Lost frames leave a gap in the numbering`() async throws {
    let (counts, _) = try await lost(Self.specification, "inject_frame_loss")
    #expect(try #require(counts[.camera]) >= 3)
  }

  @Test func `Bad buffers are counted and not delivered`() async throws {
    let (counts, _) = try await lost(Self.specification, "inject_error_buffers")
    #expect(counts[.corrupted] == 3)
  }

  @Test func `A raw frame that is cut off is corrupted`() async throws {
    let (counts, _) = try await lost(Self.specification, "inject_truncated")
    #expect(counts[.corrupted] == 3)
  }

  @Test func `A JPEG that is cut off is truncated, and the next one is complete`() async throws {
    let (counts, first) = try await lost("160x120@100,format=MJPG", "inject_truncated")
    #expect(counts[.truncated] == 3)
    #expect(try first.decoded().strip?.number == first.metadata.sequence)
  }

  @Test func `A stalled camera reports nothing, and continues without a gap`() async throws {
    try await Rig.run(Self.specification, controls: ["inject_stall": 1]) { rig in
      try await Rig.letPass(pictures: 100)
      #expect(rig.receiver.eventCount == 0)
      try rig.set("inject_stall", 0)
      let events = await rig.receiver.events(through: isPicture)
      guard case .picture(let picture) = events.last else { throw RigError.noPicture }
      let lost = events.reduce(0) { if case .lost(let n, _) = $1 { $0 + n } else { $0 } }
      #expect(picture.metadata.sequence == UInt64(lost) + 1)
      // A busy machine may lose some frames around the stall.
      #expect(lost < 50, "the hundred ticks of the stall have no numbers")
    }
  }

  @Test func `An unplugged camera fails once, cannot be opened, and returns when plugged in`()
    async throws
  {
    try await Rig.run(Self.specification) { rig in
      _ = await rig.receiver.picture()
      try rig.set("brightness", 10)
      try rig.set("disconnect", 1)
      let error = await rig.receiver.next { if case .failed(let error) = $0 { error } else { nil } }
      #expect(error?.code == .deviceNotFound)
      let count = rig.receiver.eventCount
      try await Rig.letPass(pictures: 5)
      #expect(rig.receiver.eventCount == count, "nothing comes after the end")
      await rig.loop.run { rig.device.detach() }
      rig.device.close()
      for attempt in [
        { try rig.device.open() }, { _ = try rig.device.configure(FormatRequest()) },
        { try rig.device.startStreaming() }, { _ = try rig.device.formats() },
      ] as [() throws -> Void] {
        let error = try #require(throws: CaptureError.self, performing: attempt)
        #expect(error.code == .deviceNotFound && error.message.contains("disconnect"))
      }
      try rig.set("disconnect", 0)
      #expect(try rig.value("brightness") == .integer(128), "it lost its power")
      try rig.device.open()
      _ = try rig.device.configure(FormatRequest())
      try rig.device.startStreaming()
      await rig.attach()
      var (lost, first) = (0, UInt64?.none)
      while first == nil {
        switch try #require(await rig.receiver.next { $0 }) {
        case .picture(let frame): first = frame.metadata.sequence
        case .lost(let count, _): lost += count
        case .controlChanged, .failed: continue
        }
      }
      #expect(
        first == UInt64(lost + 1), "numbers begin anew, and a slow machine may lose the first")
    }
  }

  @Test func `A camera that was unplugged does not stream until it is opened again`() async throws {
    try await Rig.run(Self.specification) { rig in
      try rig.set("disconnect_for", 3_600_000)
      try rig.set("disconnect_for", 0)
      await rig.loop.run { rig.device.detach() }
      rig.device.stopStreaming()
      let error = try #require(throws: CaptureError.self) { try rig.device.startStreaming() }
      #expect(error.code == .deviceNotFound && error.message.contains("open"))
    }
  }

  @Test
  func `Any thread may unplug a camera whose return is awaited, and it returns in the new time`()
    async throws
  {
    let device = try SyntheticDevice.configured()
    let control = ControlID(rawValue: "disconnect_for")
    _ = try device.setValue(.integer(3_600_000), of: control)
    let loop = EventLoop(name: "test session")
    let returns = Recorded<Bool>()
    await loop.run { device.awaitReturn(on: loop) { returns.add(true) } }
    _ = try device.setValue(.integer(1), of: control)
    await returns.wait { !$0.isEmpty }
    await loop.run { device.stopAwaitingReturn() }
    loop.stop()
    try device.open()
  }

  @Test func `A camera whose session has ended meanwhile may be unplugged again and plugged in`()
    async throws
  {
    let device = try SyntheticDevice.configured()
    let control = ControlID(rawValue: "disconnect_for")
    _ = try device.setValue(.integer(3_600_000), of: control)
    let loop = EventLoop(name: "test session")
    await loop.run { device.awaitReturn(on: loop) {} }
    loop.stop()
    _ = try device.setValue(.integer(3_600_000), of: control)
    _ = try device.setValue(.integer(0), of: control)
    try device.open()
  }

  @Test func `A breakdown ends the stream, and a restart repairs it`() async throws {
    try await Rig.run(Self.specification) { rig in
      _ = await rig.receiver.picture()
      try rig.set("inject_fatal_error", 1)
      let error = await rig.receiver.next { if case .failed(let error) = $0 { error } else { nil } }
      #expect(error?.code == .deviceFailed)
      await rig.loop.run { rig.device.detach() }
      rig.device.stopStreaming()
      try rig.device.startStreaming()
      await rig.attach()
      #expect(await rig.receiver.picture() != nil)
    }
  }

  @Test func `A busy camera does not start until it is free`() throws {
    let device = try SyntheticDevice.configured()
    _ = try device.setValue(.boolean(true), of: ControlID(rawValue: "inject_busy"))
    for _ in 0..<2 {
      let error = try #require(throws: CaptureError.self) { try device.startStreaming() }
      #expect(error.code == .deviceBusy && error.message.contains("inject_busy"))
    }
    _ = try device.setValue(.boolean(false), of: ControlID(rawValue: "inject_busy"))
    try device.startStreaming()
    device.close()
  }

  @Test func `A failing start fails once`() throws {
    let device = try SyntheticDevice.configured()
    _ = try device.setValue(.boolean(true), of: ControlID(rawValue: "inject_streamon_error"))
    let error = try #require(throws: CaptureError.self) { try device.startStreaming() }
    #expect(error.code == .deviceFailed)
    try device.startStreaming()
    device.close()
  }
}
