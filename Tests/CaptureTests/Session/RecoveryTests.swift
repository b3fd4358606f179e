import Dispatch
import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// Shows how a session recovers its camera, with cameras that follow a script.
@Suite(.timeLimit(.minutes(5)))
struct RecoveryTests {
  private static let unplugged = CaptureError(.deviceNotFound, "it is gone")

  /// Runs `body` with a running session.
  /// - Parameter pause: The first pause between attempts.
  private func withSession(
    _ script: ScriptedDevice.Script = .init(), pause: Duration = .milliseconds(1),
    callLimit: Duration = .seconds(60),
    _ body: (ScriptedDevice, CaptureSession, Recorded<SessionEvent>) async throws -> Void
  ) async throws {
    let device = ScriptedDevice(script)
    var backoff = Backoff()
    backoff.first = pause
    backoff.longest = max(pause, .milliseconds(2))
    let camera = try TestCamera(device: device, backoff: backoff, callLimit: callLimit)
    try await camera.run {
      try await camera.session.start()
      try await body(device, camera.session, camera.events)
    }
  }

  private func status(
    _ events: Recorded<SessionEvent>, where matches: @escaping @Sendable (SessionStatus) -> Bool
  ) async throws -> SessionStatus {
    try await events.first { event in
      if case .state(let status) = event, matches(status) { status } else { nil }
    }
  }

  /// Waits until the session has entered the running state this often.
  private func runs(_ count: Int, _ events: Recorded<SessionEvent>) async {
    await events.wait { events in
      events.count { if case .state(let status) = $0 { status.state == .running } else { false } }
        >= count
    }
  }

  private func remarks(_ events: Recorded<SessionEvent>) -> [String] {
    events.events.compactMap { if case .remark(let text) = $0 { text } else { nil } }
  }

  @Test func `After a format that could not be started the camera runs in the one before`()
    async throws
  {
    let (large, small) = (ImageSize(width: 640, height: 480), ImageSize(width: 320, height: 240))
    let formats = [StreamFormat.scripted(640, 480), .scripted(320, 240)]
    try await withSession(.init(formats: formats)) { device, session, _ in
      device.script.start = { [unowned device] () throws(CaptureError) in
        guard device.requests.last?.size != small else {
          throw CaptureError(.noBandwidth, "the bus is full")
        }
      }
      let error = await #expect(throws: CaptureError.self) {
        try await session.configure(size: small)
      }
      #expect(error?.code == .noBandwidth)
      #expect(await session.status.state == .running)
      #expect(await session.status.format?.layout.size == large)
      // Nothing of the wish is left for later requests either.
      await session.stop()
      try await session.start()
      #expect(await session.status.format?.layout.size == large)
    }
  }

  @Test func `A camera that its format keeps from running is stopped and given another`()
    async throws
  {
    let (large, small) = (ImageSize(width: 640, height: 480), ImageSize(width: 320, height: 240))
    let formats = [StreamFormat.scripted(640, 480), .scripted(320, 240)]
    try await withSession(.init(formats: formats), pause: .seconds(3600)) {
      device, session, events in
      try await session.configure(size: large)
      device.script.start = { [unowned device] () throws(CaptureError) in
        guard device.requests.last?.size == small else {
          throw CaptureError(.noBandwidth, "the bus is full")
        }
      }
      device.fail(CaptureError(.noBandwidth, "the bus is full"))
      _ = try await status(events) { $0.state.isTrouble }
      let refusal = await #expect(throws: CaptureError.self) {
        try await session.configure(size: small)
      }
      #expect(refusal?.code == .interrupted)
      let remedy = "stop the session, change the format and start it"
      #expect(refusal?.message.hasSuffix(remedy) == true)
      await session.stop()
      try await session.configure(size: small)
      try await session.start()
      #expect(await session.status.format?.layout.size == small)
    }
  }

  @Test func `Nobody who hears of an interruption gets a photo from before it`() async throws {
    let device = ScriptedDevice()
    let photos = Recorded<PhotoRequest.Step>()
    let camera = try TestCamera(device: device) { event, pipeline in
      guard case .state(let status) = event, status.state.isTrouble, photos.events.isEmpty else {
        return
      }
      pipeline.loop.performAndWait {
        pipeline.capture(
          PhotoRequest(
            ticket: 1, timing: .noOlderThan(.seconds(Int64.max)), asked: .now,
            deadline: .now + .seconds(20)
          ) { photos.add($0) })
      }
    }
    try await camera.run {
      try await camera.session.start()
      device.deliver()
      await camera.firstFrame()
      device.fail(Self.unplugged)
      await photos.wait { $0.contains(where: \.isLast) }
      #expect(photos.events.map(\.name) == ["failed interrupted"])
    }
  }

  @Test func `A camera that comes back gets the format that it had`() async throws {
    try await withSession { device, session, events in
      let before = try #require(await session.status.format)
      // By itself the camera would choose another format now.
      device.script.formats.insert(.scripted(320, 240), at: 0)
      device.fail(Self.unplugged)
      await runs(2, events)
      #expect(await session.status.format == before)
      #expect(device.requests.count == 2 && device.requests[0] == FormatRequest())
      #expect(device.requests[1].size == ImageSize(width: 640, height: 480))
      #expect(remarks(events).isEmpty)
    }
  }

  @Test
  func
    `A camera that comes back without its format runs in the requested one, and a remark says so`()
    async throws
  {
    try await withSession { device, session, events in
      device.script.formats = [.scripted(320, 240)]
      device.fail(Self.unplugged)
      await runs(2, events)
      #expect(await session.status.format?.layout.size == ImageSize(width: 320, height: 240))
      let remark = try #require(remarks(events).first)
      #expect(remark.contains("640x480") && remark.contains("320x240"))
    }
  }

  @Test func `Controls are set again and checked, and a camera that refuses one runs all the same`()
    async throws
  {
    try await withSession { device, session, events in
      _ = try await session.set([
        .init("brightness", to: .integer(7)), .init("gain", to: .integer(8)),
      ])
      device.script.controls = ["brightness": 128, "gain": 100]
      device.script.setControl = { (control, value) throws(CaptureError) in
        if control == "gain" { throw CaptureError(.controlNotWritable, "gain is stuck") }
        return value
      }
      device.fail(Self.unplugged)
      await runs(2, events)
      #expect(device.script.controls == ["brightness": 7, "gain": 100])
      #expect(remarks(events) == ["gain could not be put back: gain is stuck"])
      let news = try await events.first { event -> ControlState? in
        if case .control(let state) = event, state.value == .integer(100) { state } else { nil }
      }
      #expect(news.control.id == "gain", "its value is an event")

      device.script.setControl = { control, value in control == "gain" ? 5 : value }
      device.fail(Self.unplugged)
      await runs(3, events)
      #expect(remarks(events).count == 2)
      #expect(remarks(events).last?.contains("gain was put back") == true)
    }
  }

  @Test func `A value that the camera corrected is set again in its corrected form`() async throws {
    var script = ScriptedDevice.Script()
    script.setControl = { $1 / 10 * 10 }
    try await withSession(script) { device, session, events in
      _ = try await session.set([.init("brightness", to: .integer(77))])
      device.script.controls["brightness"] = 128
      device.fail(Self.unplugged)
      await runs(2, events)
      #expect(device.script.controls["brightness"] == 70)
      #expect(remarks(events).isEmpty)
    }
  }

  @Test func `An attempt reports what it did and how far it came`() async throws {
    try await withSession { device, session, events in
      _ = try await session.set([.init("brightness", to: .integer(7))])
      device.script.start = { () throws(CaptureError) in
        throw CaptureError(.deviceFailed, "STREAMON failed")
      }
      device.fail(Self.unplugged)
      let unplugged = try await status(events) { $0.state.isTrouble }
      #expect(unplugged.state.failure?.attempts == 0)
      #expect(unplugged.state.failure?.lastAttempt == nil)
      let tried = try await status(events) { $0.state.failure?.attempts == 2 }
      #expect(
        tried.state.failure?.lastAttempt?.summary
          == "opened /dev/video7, set 640x480 MJPG at 30/s, put back 1 control, "
          + "failed to start streaming")
      #expect(tried.state.failure?.error.message == "STREAMON failed")
      #expect(tried.since == unplugged.since)

      device.script.openError = Self.unplugged
      let failed = try await status(events) { status in
        status.state.failure?.lastAttempt?.summary == "failed to open /dev/video7"
      }
      #expect(failed.since == unplugged.since)
    }
  }

  @Test func `Attempts are counted until the camera has run for a while`() async throws {
    try await withSession { device, _, events in
      for round in 1...3 {
        device.deliver()
        device.fail(Self.unplugged)
        await runs(1 + round, events)
      }
      device.fail(Self.unplugged)
      _ = try await status(events) { $0.state.failure?.attempts == 3 }
    }
  }

  @Test func `A camera that is plugged in is tried at once`() async throws {
    // The pause alone would take an hour.
    try await withSession(pause: .seconds(3600)) { device, _, events in
      device.fail(Self.unplugged)
      _ = try await status(events) { $0.state.isTrouble }
      device.giveHope()
      await runs(2, events)
    }
  }

  @Test func `While a call into the driver does not return, the camera is stalled`() async throws {
    let release = DispatchSemaphore(value: 0)
    try await withSession(callLimit: .milliseconds(50)) { device, session, events in
      device.script.start = { release.wait() }
      device.fail(Self.unplugged)
      let hung = try await status(events) { status in
        status.state.failure?.error.code == .deviceStalled
      }
      #expect(hung.state.failure?.error.message.contains("start streaming") == true)
      #expect(hung.state.failure?.nextAttempt == nil)
      guard case .interrupted(let interruption) = hung.state else {
        Issue.record("not interrupted but \(hung.state)")
        release.signal()
        return
      }
      #expect(interruption.reason == .deviceStalled)
      device.script.start = {}
      release.signal()
      await runs(2, events)
      #expect(await session.status.state == .running)
    }
  }

  @Test func `A request to a camera that is gone is answered at once`() async throws {
    try await withSession(pause: .seconds(3600)) { device, session, events in
      device.script.openError = Self.unplugged
      device.script.controls = [:]
      device.fail(Self.unplugged)
      _ = try await status(events) { $0.state.isTrouble }
      let error = await #expect(throws: CaptureError.self) { try await session.controls(["gain"]) }
      #expect(error?.code == .deviceNotFound)
      let start = await #expect(throws: CaptureError.self) { try await session.start() }
      #expect(start?.code == .deviceNotFound)
      #expect(await session.status.state.failure?.attempts == 1, "the start counts as an attempt")
    }
  }
}
