import CaptureSynthetic
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

struct CaptureSessionTests {
  private func set(_ name: String, _ value: ControlValue, _ camera: TestCamera) async throws {
    _ = try await camera.session.set([.init(ControlID(rawValue: name), to: value)])
  }

  private static let isInterrupted: @Sendable (SessionState) -> Bool = {
    if case .interrupted = $0 { true } else { false }
  }

  private func states(_ camera: TestCamera) -> [SessionState] {
    camera.events.events.compactMap {
      if case .state(let status) = $0 { status.state } else { nil }
    }
  }

  /// Waits until the session runs again after trouble.
  private func recovery(_ camera: TestCamera) async {
    await camera.events.wait { events in
      let states = events.compactMap {
        if case .state(let status) = $0 { status.state } else { nil }
      }
      guard let trouble = states.firstIndex(where: { $0 != .running && $0 != .starting }) else {
        return false
      }
      return states[trouble...].contains(.running)
    }
  }

  @Test func `A start leads to running, and a stop to stopped`() async throws {
    try await TestCamera.with { camera in
      #expect(states(camera) == [.starting, .running])
      let format = try #require(await camera.session.status.format)
      #expect(format.layout.size == ImageSize(width: 320, height: 240))
      await camera.session.stop()
      #expect(await camera.session.status.state == .stopped)
      #expect(await camera.session.status.format == nil)
    }
  }

  @Test func `Another format replaces the first, and open parts of a request stay as they were`()
    async throws
  {
    try await TestCamera.with { camera in
      try await camera.session.configure(size: ImageSize(width: 640, height: 480))
      let format = try #require(await camera.session.status.format)
      #expect(format.layout.size == ImageSize(width: 640, height: 480))
      #expect(format.layout.pixelFormat == .yuyv)
    }
  }

  @Test func `A format that the camera does not have leaves it running as before`() async throws {
    try await TestCamera.with { camera in
      await #expect(throws: CaptureError.self) {
        try await camera.session.configure(size: ImageSize(width: 7, height: 7))
      }
      let status = await camera.session.status
      #expect(status.state == .running)
      #expect(status.format?.layout.size == ImageSize(width: 320, height: 240))
      #expect(states(camera) == [.starting, .running], "its stream goes on")
    }
  }

  @Test func `A change that may not end the stream is refused and changes nothing`() async throws {
    try await TestCamera.with { camera in
      let obstacle = CaptureError(.conflict, "it records")
      let error = await #expect(throws: CaptureError.self) {
        try await camera.session.configure(
          size: ImageSize(width: 640, height: 480), unlessMovieEnds: obstacle)
      }
      #expect(error == obstacle)
      // All of them ask for the format in which the camera runs.
      try await camera.session.start()
      try await camera.session.configure(pixelFormat: .yuyv, unlessMovieEnds: obstacle)
      try await camera.session.configure(
        size: ImageSize(width: 320, height: 240), rate: 60, unlessMovieEnds: obstacle)
      #expect(states(camera).count { $0 == .starting } == 1, "its stream goes on")
    }
  }

  @Test func `A start that fails leaves a stopped camera stopped`() async throws {
    try await TestCamera.with(isStarted: false) { camera in
      try await set("inject_busy", .boolean(true), camera)
      let error = await #expect(throws: CaptureError.self) { try await camera.session.start() }
      #expect(error?.code == .deviceBusy)
      #expect(await camera.session.status.state == .stopped)
    }
  }

  @Test func `A stopped camera takes no format that it does not have`() async throws {
    try await TestCamera.with(isStarted: false) { camera in
      await #expect(throws: CaptureError.self) {
        try await camera.session.configure(size: ImageSize(width: 7, height: 7))
      }
      try await camera.session.start()
      let format = await camera.session.status.format
      #expect(format?.layout.size == ImageSize(width: 320, height: 240))
    }
  }

  @Test func `A persistent start tries again until the cause has gone`() async throws {
    try await TestCamera.with(isStarted: false) { camera in
      try await set("inject_busy", .boolean(true), camera)
      await camera.session.startPersistently()
      await camera.state(where: Self.isInterrupted)
      try await set("inject_busy", .boolean(false), camera)
      await recovery(camera)
      await camera.firstFrame()
    }
  }

  @Test
  func `An unplugged camera recovers when it is plugged in again, and gets its controls back`()
    async throws
  {
    try await TestCamera.with { camera in
      try await set("brightness", .integer(7), camera)
      try await set("disconnect", .boolean(true), camera)
      await camera.state { state in
        guard case .interrupted(let interruption) = state else { return false }
        return interruption.reason == .deviceDisconnected
          && interruption.failure.nextAttempt != nil
      }
      try await set("disconnect", .boolean(false), camera)
      await recovery(camera)
      let brightness = try await camera.session.controls([ControlID(rawValue: "brightness")])
      #expect(brightness.first?.value == .integer(7))
    }
  }

  @Test func `A suspended camera is closed, stays so, and comes back as it was`() async throws {
    try await TestCamera.with { camera in
      try await camera.session.configure(size: ImageSize(width: 640, height: 480))
      try await set("brightness", .integer(7), camera)
      try await camera.session.suspend("the lens is being cleaned")
      let status = await camera.session.status
      #expect(status.state.isSuspended && status.format == nil)
      #expect(status.state.failure?.error.message == "the lens is being cleaned")
      let refusal = await #expect(throws: CaptureError.self) { try await camera.session.start() }
      #expect(refusal?.code == .conflict)
      // What brings other cameras back does nothing to this one.
      try await set("disconnect", .boolean(true), camera)
      try await set("disconnect", .boolean(false), camera)
      #expect(await camera.session.status.state == status.state)
      try await camera.session.resume()
      #expect(await camera.session.status.format?.layout.size == ImageSize(width: 640, height: 480))
      let brightness = try await camera.session.controls([ControlID(rawValue: "brightness")])
      #expect(brightness.first?.value == .integer(7))
      try await camera.session.resume()
      #expect(await camera.session.status.state == .running)
    }
  }

  @Test func `A camera that cannot be started when its suspension ends is tried again`()
    async throws
  {
    try await TestCamera.with { camera in
      try await camera.session.suspend("")
      try await set("disconnect", .boolean(true), camera)
      try await camera.session.resume()
      await camera.state { state in
        guard case .interrupted(let interruption) = state else { return false }
        return interruption.reason == .deviceDisconnected
      }
      try await set("disconnect", .boolean(false), camera)
      await recovery(camera)
    }
  }

  @Test func `A stopped session is neither suspended nor resumed, and a stop ends a suspension`()
    async throws
  {
    try await TestCamera.with { camera in
      try await camera.session.suspend("")
      await camera.session.stop()
      for change in [
        { try await camera.session.suspend("") }, { try await camera.session.resume() },
      ] as [@Sendable () async throws -> Void] {
        let refusal = await #expect(throws: CaptureError.self) { try await change() }
        #expect(refusal?.code == .notRunning)
      }
      try await camera.session.start()
      #expect(await camera.session.status.state == .running)
    }
  }

  @Test func `A camera that goes silent is stalled, and is started again`() async throws {
    try await TestCamera.with { camera in
      try await set("inject_stall", .boolean(true), camera)
      await camera.state { state in
        guard case .interrupted(let interruption) = state else { return false }
        return interruption.reason == .deviceStalled
      }
      try await set("inject_stall", .boolean(false), camera)
      await recovery(camera)
      await camera.firstFrame(ofRun: 2)
    }
  }

  @Test func `A fatal error is a failure that recovers`() async throws {
    try await TestCamera.with { camera in
      try await set("inject_fatal_error", .integer(1), camera)
      await camera.state { if case .failed = $0 { true } else { false } }
      await recovery(camera)
      await camera.firstFrame(ofRun: 2)
    }
  }

  @Test func `Either all settings are made or none`() async throws {
    try await TestCamera.with { camera in
      let before = try await camera.session.controls([ControlID(rawValue: "brightness")])
      await #expect(throws: CaptureError.self) {
        try await camera.session.set([
          .init(ControlID(rawValue: "brightness"), to: .integer(3)),
          .init(ControlID(rawValue: "no_such_control"), to: .integer(3)),
        ])
      }
      let after = try await camera.session.controls([ControlID(rawValue: "brightness")])
      #expect(after == before)
    }
  }

  @Test func `Controls and formats of a stopped camera can be read`() async throws {
    try await TestCamera.with(isStarted: false) { camera in
      let (controls, formats) = (
        try await camera.session.controls(), try await camera.session.listedFormats()
      )
      #expect(controls.count > 10 && !formats.isEmpty)
    }
  }
}
