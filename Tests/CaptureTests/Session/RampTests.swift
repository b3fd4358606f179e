import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// Zooms that move smoothly, of a device and by cropping.
@Suite(.timeLimit(.minutes(5)))
struct RampTests {
  private typealias Setting = CaptureSession.Setting

  private final class Observer: FrameConsumer, Sendable {
    let frames = Recorded<FrameMetadata>()
    func receive(_ frame: Frame) { frames.add(frame.metadata.pictured()) }
  }

  private static let camera = "320x240@60,format=MJPG"

  private func run(
    _ options: String = "", _ body: (TestCamera, Recorded<FrameMetadata>) async throws -> Void
  ) async throws {
    try await TestCamera.with(Self.camera + options) { camera in
      let observer = Observer()
      await camera.frameLoop.run { camera.pipeline.add(observer) }
      try await body(camera, observer.frames)
    }
  }

  private func zoom(_ camera: TestCamera) async throws -> ControlState {
    try #require(try await camera.session.controls([.zoom]).first)
  }

  private func number(_ state: ControlState) throws -> Double {
    guard case .number(let number)? = state.value else { throw CancellationError() }
    return number
  }

  /// Waits until the zoom has been reported at rest after it moved.
  private func rest(_ camera: TestCamera) async {
    await camera.events.wait { events in
      let zooms = events.compactMap { event in
        if case .control(let state) = event, state.control.id == .zoom { state } else { nil }
      }
      guard let moved = zooms.lastIndex(where: { $0.rampingTo != nil }) else { return false }
      return moved < zooms.count - 1
    }
  }

  @Test(arguments: [(1.0, 4.0, 4.0), (4, 1.5, 2)])
  func `Each frame's crop follows from its time stamp, and ends exactly at the target`(
    start: Double, target: Double, rate: Double
  ) async throws {
    try await run(",zoom=off") { camera, frames in
      _ = try await camera.session.set([Setting(.zoom, to: .number(start))])
      let states = try await camera.session.set(
        [Setting(.zoom, to: .number(target))], ramp: rate)
      #expect(states.first?.rampingTo == target)
      await rest(camera)
      #expect(try await zoom(camera).value == .number(target))
      await frames.wait { $0.last?.crop == target }
      let all = frames.events
      let moving = try #require(all.firstIndex { $0.crop != 1 && $0.crop != start })
      // The frame before has the old zoom, and the ramp begins with it.
      let first = all[moving - 1]
      var motion = ZoomRamp(from: start, to: target, rate: rate)
      var last = motion.zoom(at: first.timestamp)
      for frame in all[moving...] {
        #expect(frame.crop == motion.zoom(at: frame.timestamp), "\(frame.sequence)")
        #expect(frame.facts.zoom == frame.crop)
        #expect(target > start ? frame.crop >= last : frame.crop <= last)
        last = frame.crop
      }
      #expect(last == target)
    }
  }

  @Test func `The zoom of a device moves by its steps`() async throws {
    try await run { camera, frames in
      let states = try await camera.session.set([Setting(.zoom, to: .number(3))], ramp: 4)
      #expect(states.first?.rampingTo == 3)
      await rest(camera)
      #expect(try await zoom(camera).value == .number(3))
      await frames.wait { $0.last?.facts.zoom == 3 }
      let zooms = frames.events.compactMap(\.facts.zoom)
      #expect(zip(zooms, zooms.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(Set(zooms).count > 5, "\(zooms)")
      #expect(frames.events.allSatisfy { $0.crop == 1 })
    }
  }

  private enum End: CaseIterable {
    case stop, set, configure, unplugged, sessionStopped
  }

  @Test(arguments: ["", ",zoom=off"])
  func `It ends where it stands`(options: String) async throws {
    for end in End.allCases {
      try await run(options) { camera, frames in
        let session = camera.session
        // So slow that it does not end by itself.
        _ = try await session.set([Setting(.zoom, to: .number(4))], ramp: 0.5)
        await frames.wait { ($0.last?.facts.zoom ?? 1) > 1.02 }
        var rest: Double?
        switch end {
        case .stop: await session.stopRamp()
        case .set:
          _ = try await session.set([Setting(.zoom, to: .number(1.25))])
          rest = 1.25
        case .configure:
          var change = SessionConfiguration()
          change.size = ImageSize(width: 640, height: 480)
          _ = try await session.configure(change)
          await camera.firstFrame(ofRun: 2)
        case .unplugged:
          _ = try await session.set([
            Setting(ControlID(rawValue: "disconnect_for"), to: .integer(200))
          ])
          await camera.firstFrame(ofRun: 2)
        case .sessionStopped:
          await session.stop()
          try await session.start()
          await camera.firstFrame(ofRun: 2)
        }
        let state = try await zoom(camera)
        #expect(state.rampingTo == nil, "\(end)")
        let value = try number(state)
        #expect(rest.map { $0 == value } ?? (value > 1 && value < 4), "\(end): \(value)")
        let mark = frames.events.count
        await frames.wait { $0.count >= mark + 20 }
        // A device may need a frame for its last step.
        #expect(
          frames.events[(mark + 2)...].allSatisfy { abs(($0.facts.zoom ?? 0) - value) < 1e-9 },
          "\(end)")
        #expect(try await zoom(camera).value == .number(value), "\(end)")
      }
    }
  }

  @Test(arguments: ["", ",zoom=off"])
  func `It goes on after a change that fails`(options: String) async throws {
    try await run(options) { camera, frames in
      let session = camera.session
      _ = try await session.set([Setting(.zoom, to: .number(4))], ramp: 0.5)
      await frames.wait { ($0.last?.facts.zoom ?? 1) > 1.02 }
      // The exposure time is inactive while the exposure is automatic.
      let wrong = Setting(ControlID(rawValue: "exposure_time_absolute"), to: .integer(5))
      let changes = [
        [Setting(.zoom, to: .number(1.25)), wrong], [Setting(.zoom, to: .number(99))],
      ]
      for settings in changes {
        await #expect(throws: CaptureError.self) { try await session.set(settings) }
        #expect(try await zoom(camera).rampingTo == 4)
      }
      var change = SessionConfiguration()
      change.settings = [wrong]
      await #expect(throws: CaptureError.self) { try await session.configure(change) }
      let state = try await zoom(camera)
      #expect(state.rampingTo == 4)
      let value = try number(state)
      await frames.wait { ($0.last?.facts.zoom ?? 1) > value + 0.1 }
    }
  }

  @Test func `A ramp takes the place of another`() async throws {
    try await run(",zoom=off") { camera, frames in
      _ = try await camera.session.set([Setting(.zoom, to: .number(16))], ramp: 2)
      await frames.wait { ($0.last?.crop ?? 1) > 1.1 }
      _ = try await camera.session.set([Setting(.zoom, to: .number(1))], ramp: 8)
      await frames.wait { $0.last?.crop == 1 }
      let crops = frames.events.map(\.crop)
      let top = try #require(crops.indices.max { crops[$0] < crops[$1] })
      #expect(crops[top] < 16)
      #expect(zip(crops[..<top], crops[..<top].dropFirst()).allSatisfy { $0 <= $1 })
      #expect(zip(crops[top...], crops[top...].dropFirst()).allSatisfy { $0 >= $1 })
    }
  }

  @Test func `What cannot move is refused, and nothing is set`() async throws {
    try await TestCamera.with(Self.camera, isStarted: false) { camera in
      let brightness = Setting(ControlID(rawValue: "brightness"), to: .integer(99))
      let zoom = Setting(.zoom, to: .number(2))
      func refusal(_ settings: [CaptureSession.Setting], _ rate: Double) async -> CaptureError? {
        await #expect(throws: CaptureError.self) {
          try await camera.session.set(settings, ramp: rate)
        }
      }
      #expect(await refusal([brightness, zoom], 1)?.code == .notRunning)
      try await camera.session.start()
      #expect(await refusal([brightness], 1)?.part == .rampRate)
      for rate in [0, -1, 65, .infinity, .nan] {
        #expect(await refusal([brightness, zoom], rate)?.part == .rampRate)
      }
      let far = Setting(.zoom, to: .number(100))
      #expect(await refusal([brightness, far], 1)?.code == .invalidControlValue)
      let value = try await camera.session.controls([brightness.control]).first?.value
      #expect(value == .integer(128))
    }
  }
}
