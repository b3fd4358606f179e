import Dispatch
import EventLoop
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// Drivers that do not come back from a call.
@Suite(.timeLimit(.minutes(5)))
struct HangTests {
  /// A driver that hangs in a call until it is released.
  private final class Hang: Sendable {
    private let call = Mutex<String?>(nil)
    private let release = DispatchSemaphore(value: 0)
    let calls = Recorded<String>()
    /// The calls that hang, or did.
    let hanging = Recorded<String>()

    func begin(_ call: String) { self.call.withLock { $0 = call } }

    func end() {
      call.withLock { $0 = nil }
      release.signal()
    }

    func enter(_ call: String) {
      let hangs = self.call.withLock { $0 == call }
      calls.add(call)
      guard hangs else { return }
      hanging.add(call)
      release.wait()
    }
  }

  private func withCamera(
    isStarted: Bool = true, callLimit: Duration = .milliseconds(100),
    _ body: (Hang, ScriptedDevice, TestCamera) async throws -> Void
  ) async throws {
    let hang = Hang()
    var script = ScriptedDevice.Script()
    script.onCall = { hang.enter($0) }
    let device = ScriptedDevice(script)
    var backoff = Backoff()
    (backoff.first, backoff.longest) = (.milliseconds(1), .milliseconds(2))
    let camera = try TestCamera(device: device, backoff: backoff, callLimit: callLimit)
    try await camera.run {
      if isStarted { try await camera.session.start() }
      do {
        try await body(hang, device, camera)
      } catch {
        hang.end()
        throw error
      }
    }
  }

  private func runs(_ count: Int, _ events: Recorded<SessionEvent>) async {
    await events.wait { events in
      events.count { if case .state(let status) = $0 { status.state == .running } else { false } }
        >= count
    }
  }

  /// Waits until the camera is interrupted by a driver that hangs in this call.
  private func stall(in words: String, _ events: Recorded<SessionEvent>) async {
    await events.wait { events in
      events.contains { event in
        guard case .state(let status) = event, case .interrupted(let interruption) = status.state
        else { return false }
        return interruption.reason == .deviceStalled
          && interruption.failure.error.message.contains("asked to \(words)")
      }
    }
  }

  @Test func `The camera is asked for a key picture of its video`() async throws {
    try await withCamera(callLimit: .seconds(60)) { hang, _, camera in
      await camera.frameLoop.run {
        for _ in 0..<20 { camera.pipeline.askForKeyPicture() }
      }
      await hang.calls.wait { $0.contains("key picture") }
    }
  }

  @Test(arguments: [
    ("close", "close"), ("stop", "stop the stream"), ("open", "open /dev/video7"),
    ("configure", "set 640x480"), ("set", "set brightness"), ("controls", "list its controls"),
    ("value", "say"), ("start", "start streaming"),
  ])
  func `A driver that hangs while its camera comes back is named with the call`(
    _ call: String, _ words: String
  ) async throws {
    try await withCamera { hang, device, camera in
      _ = try await camera.session.set([.init("brightness", to: .integer(7))])
      hang.begin(call)
      device.fail(CaptureError(.deviceFailed, "it failed"))
      await stall(in: words, camera.events)
      // Nobody waits for it, neither those who come now.
      let error = await #expect(throws: CaptureError.self) {
        try await camera.session.run { _ in Issue.record("the session's thread is free") }
      }
      #expect(error?.code == .deviceStalled)
      hang.end()
      await runs(2, camera.events)
      #expect(await camera.session.status.state == .running)
    }
  }

  @Test(arguments: [("set", "set brightness"), ("controls", "list its controls")])
  func `Those who wait for a driver that hangs are told, and what waits behind is not done`(
    _ call: String, _ words: String
  ) async throws {
    try await withCamera { hang, device, camera in
      device.deliver()
      await camera.firstFrame()
      hang.begin(call)
      async let first = camera.session.run { session in
        call == "set"
          ? try session.set([.init("brightness", to: .integer(7))]) : try session.controls()
      }
      await hang.hanging.atLeast(1)
      async let second: Void = camera.session.run { _ in Issue.record("it is done later") }
      var errors: [CaptureError] = []
      do { _ = try await first } catch let error as CaptureError { errors.append(error) }
      do { try await second } catch let error as CaptureError { errors.append(error) }
      #expect(errors.map(\.code) == [.deviceStalled, .deviceStalled])
      #expect(errors.allSatisfy { $0.message.contains("asked to \(words)") })
      await stall(in: words, camera.events)
      hang.end()
      // The camera has delivered all the time, and says so again.
      await runs(2, camera.events)
      await camera.firstFrame(ofRun: 2)
      try await camera.session.run { _ in }
    }
  }

  @Test func `A stopped camera whose driver hangs is no other state but a remark`() async throws {
    try await withCamera(isStarted: false) { hang, _, camera in
      hang.begin("open")
      await #expect(throws: CaptureError.self) {
        try await camera.session.run { try $0.controls() }
      }
      let remark = try await camera.events.first { event in
        if case .remark(let text) = event { text } else { nil }
      }
      #expect(remark.contains("asked to open /dev/video7"))
      hang.end()
      _ = try await camera.session.controls()
    }
  }

  @Test func `A photo that waits for an idle camera fails with the call that hangs`() async throws {
    try await withCamera { hang, _, camera in
      await camera.session.idle()
      let photo = camera.request()
      hang.begin("open")
      let session = camera.session
      session.loop.perform { session.assumeIsolated { $0.wake() } }
      let error = try await photo.first { step -> CaptureError? in
        if case .failed(let error) = step { error } else { nil }
      }
      #expect(error.code == .deviceStalled)
      hang.end()
      await runs(2, camera.events)
    }
  }

  @Test func `A driver that does not let the session stop in time is left alone`() async throws {
    try await withCamera(callLimit: .seconds(3600)) { hang, device, camera in
      device.deliver()
      await camera.firstFrame()
      let photo = camera.request(.next)
      hang.begin("controls")
      async let request = camera.session.run { try $0.controls() }
      await hang.hanging.atLeast(1)
      async let stop: Void = camera.session.run { $0.stop(forGood: "the end") }
      camera.session.giveUp(at: .now)
      var errors: [CaptureError] = []
      do { _ = try await request } catch let error as CaptureError { errors.append(error) }
      do { try await stop } catch let error as CaptureError { errors.append(error) }
      #expect(errors.map(\.code) == [.deviceStalled, .deviceStalled])
      await photo.wait { $0.contains(where: \.isFailed) }
      let count = hang.calls.events.count
      hang.end()
      // Also what goes on with the call asks the driver nothing more.
      await camera.session.stop()
      #expect(hang.calls.events.count == count)
    }
  }
}
