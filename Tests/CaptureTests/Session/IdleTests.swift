import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(5))) struct IdleTests {
  private func isIdle(_ camera: TestCamera) async -> Bool {
    await camera.session.status.state == .idle
  }

  private func all(_ steps: Recorded<PhotoRequest.Step>) async -> [PhotoRequest.Step] {
    await steps.wait { $0.contains(where: \.isLast) }
    return steps.events
  }

  private func resolved(_ steps: [PhotoRequest.Step]) throws -> ResolvedPhoto {
    try #require(
      steps.lazy.compactMap { if case .captured(let resolved) = $0 { resolved } else { nil } }.first
    )
  }

  private func set(_ id: ControlID, _ value: ControlValue, _ camera: TestCamera) async throws {
    _ = try await camera.session.set([CaptureSession.Setting(id, to: value)])
  }

  @Test func `An idle camera is closed, and a photo waits until it has started`() async throws {
    try await TestCamera.with { camera in
      let running = try resolved(await camera.photo())
      #expect(running.start == 0)
      let format = await camera.session.status.format
      await camera.session.idle()
      #expect(await isIdle(camera))
      let status = await camera.session.status
      #expect(status.isAwaited && status.format == format, "it says how it will start")
      let asked = MonotonicTime.now
      let steps = camera.request(asked: asked)
      await camera.session.wake()
      let photo = try resolved(await all(steps))
      #expect(photo.start > 0)
      #expect(photo.metadata.dequeued >= asked + .nanoseconds(photo.start))
      #expect(await camera.session.status.format == format)
      #expect(await !camera.session.status.isAwaited)
    }
  }

  @Test func `A photo that comes before the camera is closed waits for its next start`()
    async throws
  {
    try await TestCamera.with { camera in
      // No frame is exposed so late before the camera is closed.
      let moment = MonotonicTime.now + .milliseconds(300)
      let steps = camera.request(.at(moment))
      await camera.session.idle()
      await camera.session.wake()
      let photo = try resolved(await all(steps))
      // The nearest frame that there was, and a busy machine may have lost some.
      #expect(photo.metadata.timestamp >= moment - .milliseconds(200))
    }
  }

  @Test func `What was before the start of an idle camera is in no frame`() async throws {
    try await TestCamera.with { camera in
      await camera.session.idle()
      let asked = MonotonicTime.now
      let steps = await camera.photo(.at(asked - .milliseconds(10)), asked: asked)
      #expect(steps.map(\.name) == ["failed frameUnavailable"])
      #expect(await isIdle(camera))
      // This moment was to come when the node read the request, and is over before the stream.
      let before = asked - .seconds(1)
      let late = camera.request(.at(before + .microseconds(1)), asked: before)
      await camera.session.wake()
      #expect(await all(late).map(\.name) == ["willBegin", "failed frameUnavailable"])
    }
  }

  @Test func `A camera that cannot be started for a photo fails it with the reason`() async throws {
    try await TestCamera.with { camera in
      await camera.session.idle()
      try await set("disconnect", .boolean(true), camera)
      #expect(await isIdle(camera), "nobody looks at an idle camera")
      let steps = camera.request()
      await camera.session.wake()
      #expect(await all(steps).map(\.name) == ["willBegin", "failed deviceNotFound"])
      let failure = try #require(await camera.session.status.state.failure)
      #expect(failure.nextAttempt != nil, "the session tries again")
      #expect(await !camera.session.status.isAwaited)
      try await set("disconnect", .boolean(false), camera)
      await camera.firstFrame(ofRun: 2)
    }
  }

  @Test func `A photo fails at its deadline although the camera does not start`() async throws {
    try await TestCamera.with { camera in
      await camera.session.idle()
      let steps = await camera.photo(within: .milliseconds(50))
      #expect(steps.map(\.name) == ["willBegin", "failed deadlineExceeded"])
    }
  }

  @Test func `A stop and a suspension end the photos that wait for an idle camera`() async throws {
    try await TestCamera.with { camera in
      for end in [
        { await camera.session.stop() }, { try await camera.session.suspend("cleaned") },
      ] as [@Sendable () async throws -> Void] {
        try await camera.session.start()
        await camera.session.idle()
        let steps = camera.request()
        try await end()
        #expect(await all(steps).map(\.name) == ["willBegin", "failed interrupted"])
        await camera.session.wake()
        #expect(await camera.session.status.state != .running)
        await camera.session.stop()
      }
    }
  }

  @Test func `An idle camera is configured as a stopped one is`() async throws {
    try await TestCamera.with { camera in
      await camera.session.idle()
      try await set("brightness", .integer(7), camera)
      var change = SessionConfiguration()
      change.size = ImageSize(width: 640, height: 480)
      _ = try await camera.session.configure(change)
      #expect(await isIdle(camera))
      #expect(await camera.session.status.format == nil, "the old format is void")
      try await set("inject_busy", .boolean(true), camera)
      let refusal = await #expect(throws: CaptureError.self) { try await camera.session.start() }
      #expect(refusal?.code == .deviceBusy)
      #expect(await isIdle(camera), "a start that fails changes nothing")
      try await set("inject_busy", .boolean(false), camera)
      await camera.session.wake()
      let status = await camera.session.status
      #expect(status.format?.layout.size == ImageSize(width: 640, height: 480))
      let brightness = try await camera.session.controls(["brightness"])
      #expect(brightness.first?.value == .integer(7))
    }
  }
}
