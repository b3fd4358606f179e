import CaptureSynthetic
import OperatingSystem
import Imaging
import TestSupport
import Testing

@testable import Capture

struct CaptureSessionTests {
  private func set(_ name: String, _ value: ControlValue, _ rig: Rig) async throws {
    _ = try await rig.session.set([.init(ControlID(rawValue: name), to: value)])
  }

  private static let isInterrupted: @Sendable (SessionState) -> Bool = {
    if case .interrupted = $0 { true } else { false }
  }

  private func states(_ rig: Rig) -> [SessionState] {
    rig.events.events.compactMap { if case .state(let status) = $0 { status.state } else { nil } }
  }

  /// Waits for a running state that comes after an interruption.
  private func recovery(_ rig: Rig) async {
    await rig.events.wait { events in
      let states = events.compactMap {
        if case .state(let status) = $0 { status.state } else { nil }
      }
      guard let trouble = states.firstIndex(where: { $0 != .running && $0 != .starting }) else {
        return false
      }
      return states[trouble...].contains(.running)
    }
  }

  @Test func `A start ends in running, and a stop in stopped`() async throws {
    try await Rig.with { rig in
      #expect(states(rig) == [.starting, .running])
      let format = try #require(await rig.session.status.format)
      #expect(format.layout.size == ImageSize(width: 320, height: 240))
      await rig.session.stop()
      #expect(await rig.session.status.state == .stopped)
      #expect(await rig.session.status.format == nil)
    }
  }

  @Test func `Another format replaces the first, and what is left open stays`() async throws {
    try await Rig.with { rig in
      try await rig.session.start(FormatRequest(size: ImageSize(width: 640, height: 480)))
      let format = try #require(await rig.session.status.format)
      #expect(format.layout.size == ImageSize(width: 640, height: 480))
      #expect(format.layout.pixelFormat == .yuyv)
    }
  }

  @Test func `A format that cannot be leaves the camera running as it was`() async throws {
    try await Rig.with { rig in
      await #expect(throws: CaptureError.self) {
        try await rig.session.start(FormatRequest(size: ImageSize(width: 7, height: 7)))
      }
      let status = await rig.session.status
      #expect(status.state == .running)
      #expect(status.format?.layout.size == ImageSize(width: 320, height: 240))
      await rig.firstFrame()
    }
  }

  @Test func `A start that fails leaves a stopped camera stopped`() async throws {
    try await Rig.with(isStarted: false) { rig in
      try await set("inject_busy", .boolean(true), rig)
      let error = await #expect(throws: CaptureError.self) { try await rig.session.start() }
      #expect(error?.code == .deviceBusy)
      #expect(await rig.session.status.state == .stopped)
    }
  }

  @Test func `A persistent start goes on trying until the cause ends`() async throws {
    try await Rig.with(isStarted: false) { rig in
      try await set("inject_busy", .boolean(true), rig)
      await rig.session.startPersistently()
      await rig.state(where: Self.isInterrupted)
      try await set("inject_busy", .boolean(false), rig)
      await recovery(rig)
      await rig.firstFrame()
    }
  }

  @Test func `Unplugging interrupts, plugging in again recovers, controls are put back`()
    async throws
  {
    try await Rig.with { rig in
      try await set("brightness", .integer(7), rig)
      try await set("disconnect", .boolean(true), rig)
      await rig.state { state in
        guard case .interrupted(let interruption) = state else { return false }
        return interruption.reason == .deviceDisconnected
          && interruption.failure.nextAttempt != nil
      }
      try await set("disconnect", .boolean(false), rig)
      await recovery(rig)
      let brightness = try await rig.session.controls([ControlID(rawValue: "brightness")])
      #expect(brightness.first?.value == .integer(7))
    }
  }

  @Test func `A camera that goes silent is stalled, and is started again`() async throws {
    try await Rig.with { rig in
      try await set("inject_stall", .boolean(true), rig)
      await rig.state { state in
        guard case .interrupted(let interruption) = state else { return false }
        return interruption.reason == .deviceStalled
      }
    }
  }

  @Test func `A fatal error is a failure that recovers`() async throws {
    try await Rig.with { rig in
      try await set("inject_fatal_error", .integer(1), rig)
      await rig.state { if case .failed = $0 { true } else { false } }
      await recovery(rig)
    }
  }

  @Test func `Settings are made all or none`() async throws {
    try await Rig.with { rig in
      let before = try await rig.session.controls([ControlID(rawValue: "brightness")])
      await #expect(throws: CaptureError.self) {
        try await rig.session.set([
          .init(ControlID(rawValue: "brightness"), to: .integer(3)),
          .init(ControlID(rawValue: "no_such_control"), to: .integer(3)),
        ])
      }
      let after = try await rig.session.controls([ControlID(rawValue: "brightness")])
      #expect(after == before)
    }
  }

  @Test func `Controls and formats can be read of a camera that is stopped`() async throws {
    try await Rig.with(isStarted: false) { rig in
      let (controls, formats) = (
        try await rig.session.controls(), try await rig.session.formats()
      )
      #expect(controls.count > 10 && !formats.isEmpty)
    }
  }
}
