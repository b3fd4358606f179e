import CaptureSynthetic
import Imaging
import TestSupport
import Testing

@testable import Capture

/// Changes of a session's device.
@Suite(.timeLimit(.minutes(5)))
struct InputTests {
  private typealias Setting = CaptureSession.Setting

  private static let small = StreamFormat.scripted(320, 240)

  /// A running camera, with a second device that has another format.
  private struct Scene {
    let first = ScriptedDevice(identity: "first")
    let second = ScriptedDevice(
      ScriptedDevice.Script(formats: [InputTests.small]), identity: "second")
    let camera: TestCamera

    init() throws { camera = try TestCamera(device: first) }

    func switchInput(
      to device: ScriptedDevice, unlessMovieEnds obstacle: CaptureError? = nil,
      _ edit: (inout SessionConfiguration) -> Void = { _ in }
    ) async throws -> [ControlState] {
      var change = SessionConfiguration()
      change.input = SessionInput(device)
      edit(&change)
      return try await camera.session.configure(change, unlessMovieEnds: obstacle)
    }

    /// The identity of the device in force, and the size of its frames.
    func present() async -> [String] {
      let status = await camera.session.status
      return [status.device.identity, status.format.map { "\($0.layout.size.width)" } ?? "none"]
    }
  }

  private func run(_ body: (Scene) async throws -> Void) async throws {
    let scene = try Scene()
    try await scene.camera.run {
      try await scene.camera.session.start()
      try await body(scene)
    }
  }

  @Test func `Another device takes the place, and its settings are its own`() async throws {
    try await run { scene in
      let session = scene.camera.session
      _ = try await session.set([Setting("gain", to: .integer(7))])
      let states = try await scene.switchInput(to: scene.second) {
        $0.settings = [Setting("brightness", to: .integer(9))]
      }
      #expect(states.map(\.value) == [.integer(9)])
      #expect(await scene.present() == ["second", "320"])
      #expect(try await session.controls(["gain"]).first?.value == .integer(100))
      #expect(scene.first.script.controls["brightness"] == 128)
    }
  }

  @Test func `A device that returns has its format and its settings again`() async throws {
    try await run { scene in
      let session = scene.camera.session
      scene.first.script.formats.append(Self.small)
      var change = SessionConfiguration()
      change.size = Self.small.layout.size
      change.settings = [Setting("gain", to: .integer(7))]
      _ = try await session.configure(change)
      _ = try await scene.switchInput(to: scene.second)
      scene.first.script.controls["gain"] = 100
      _ = try await scene.switchInput(to: scene.first)
      #expect(await scene.present() == ["first", "320"])
      #expect(scene.first.script.controls["gain"] == 7)
    }
  }

  enum Failure: CaseIterable {
    case open, format, control, start
  }

  @Test(arguments: Failure.allCases)
  func `If the change fails the old device runs on as before`(_ failure: Failure) async throws {
    try await run { scene in
      _ = try await scene.camera.session.set([Setting("gain", to: .integer(7))])
      let broken = CaptureError(.deviceBusy, "taken")
      switch failure {
      case .open: scene.second.script.openError = broken
      case .start: scene.second.script.start = { () throws(CaptureError) in throw broken }
      case .control:
        scene.second.script.setControl = { (id, value) throws(CaptureError) in
          guard id != "none" else { throw .noSuchControl(id, among: []) }
          return value
        }
      case .format: break
      }
      scene.first.script.controls["gain"] = 1
      let error = try await #require(throws: CaptureError.self) {
        _ = try await scene.switchInput(to: scene.second) { change in
          if failure == .format { change.size = ImageSize(width: 15, height: 15) }
          change.settings = [Setting("brightness", to: .integer(9))]
          if failure == .control { change.settings.append(Setting("none", to: .integer(1))) }
        }
      }
      switch failure {
      case .open, .start: #expect(error == CaptureError(.deviceBusy, "taken", part: .input))
      case .format: #expect(error.code == .unsupportedFormat)
      case .control: #expect(error.code == .noSuchControl)
      }
      #expect(await scene.present() == ["first", "640"])
      #expect(await scene.camera.session.status.state == .running)
      #expect(scene.second.script.controls["brightness"] == 128)
      // The old device is left alone if the new one cannot even be opened.
      let isReopened = failure == .start || failure == .control
      #expect(scene.first.script.controls["gain"] == (isReopened ? 7 : 1))
      scene.first.deliver()
      await scene.camera.firstFrame()
    }
  }

  @Test(arguments: [Failure.control, .start])
  func `If the change fails the automatics of both devices are as before`(
    _ failure: Failure
  ) async throws {
    let new = SyntheticDevice(try SyntheticSpecification.parse("160x120@30,format=YUYV"))
    try await TestCamera.with { camera in
      let automatic: ControlID = "auto_exposure"
      let old = try await camera.session.controls(["exposure.mode", automatic])
      let before = try new.value(of: automatic)
      var change = SessionConfiguration()
      change.input = SessionInput(new)
      change.settings = [Setting("exposure.duration", to: .number(0.002))]
      change.settings.append(
        failure == .start
          ? Setting("inject_streamon_error", to: .integer(1)) : Setting("none", to: .integer(1)))
      await #expect(throws: CaptureError.self) { _ = try await camera.session.configure(change) }
      #expect(try new.value(of: automatic) == before)
      #expect(try await camera.session.controls(["exposure.mode", automatic]) == old)
      // The same change without its mistake switches the automatic off, and is kept.
      change.settings.removeLast()
      _ = try await camera.session.configure(change)
      #expect(try new.value(of: automatic) != before)
    }
  }

  @Test func `A stream that must not end is left alone`() async throws {
    try await run { scene in
      let obstacle = CaptureError(.conflict, "it records")
      await #expect(throws: obstacle) {
        _ = try await scene.switchInput(to: scene.second, unlessMovieEnds: obstacle)
      }
      #expect(scene.first.requests.count == 1)
      #expect(await scene.present() == ["first", "640"])
    }
  }

  @Test func `A camera without its device gets another one`() async throws {
    try await run { scene in
      let gone = CaptureError(.deviceNotFound, "unplugged")
      scene.first.script.openError = gone
      scene.first.fail(gone)
      await scene.camera.state(where: \.isTrouble)
      scene.second.script.openError = gone
      await #expect(throws: CaptureError.self) { _ = try await scene.switchInput(to: scene.second) }
      #expect(await scene.camera.session.status.state.isTrouble)
      scene.second.script.openError = nil
      _ = try await scene.switchInput(to: scene.second)
      #expect(await scene.present() == ["second", "320"])
    }
  }

  @Test func `A stopped session takes the input for its next start`() async throws {
    try await run { scene in
      let session = scene.camera.session
      await session.stop()
      _ = try await scene.switchInput(to: scene.second)
      #expect(await scene.present() == ["second", "none"])
      try await session.start()
      #expect(await scene.present() == ["second", "320"])
    }
  }

  @Test func `A suspended session keeps its input`() async throws {
    try await run { scene in
      try await scene.camera.session.suspend("leave it alone")
      await #expect(throws: CaptureError(.conflict, "leave it alone")) {
        _ = try await scene.switchInput(to: scene.second)
      }
    }
  }

  @Test func `The session remembers only the devices that it left last`() {
    var inputs = SessionInputs()
    let devices = (0...SessionInputs.limit).map { number in
      DeviceDescription(identity: "\(number)", model: "", location: "", driver: "")
    }
    let state = SessionInputs.State(setup: SessionSetup(request: FormatRequest()))
    for device in devices { inputs.leave(device, state) }
    #expect(inputs.state(of: devices[0]) == nil)
    #expect(devices.dropFirst().allSatisfy { inputs.state(of: $0) != nil })
  }
}
