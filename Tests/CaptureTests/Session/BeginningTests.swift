import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// Cameras that start as they are meant to.
@Suite(.timeLimit(.minutes(5)))
struct BeginningTests {
  private typealias Setting = CaptureSession.Setting

  private func start(
    _ controls: [(ControlID, String)] = [], _ edit: (inout SessionConfiguration) -> Void = { _ in }
  ) -> SessionStart {
    var start = SessionStart()
    start.controls = controls.map { SessionStart.Control($0.0, to: $0.1) }
    edit(&start.change)
    return start
  }

  private func values(
    _ ids: [ControlID], of camera: TestCamera
  ) async throws -> [ControlValue?] {
    try await camera.session.controls(ids).map(\.value)
  }

  /// Runs `body` with a camera that has begun so.
  private func run(
    _ start: SessionStart, of specification: String = "320x240@60,format=YUYV",
    remembered: SessionMemory? = nil, _ body: (TestCamera) async throws -> Void
  ) async throws {
    try await TestCamera.with(specification, isStarted: false) { camera in
      await camera.session.prepare(start, remembered: remembered)
      try await camera.session.start()
      try await body(camera)
    }
  }

  @Test func `A camera starts with what its configuration wants of it`() async throws {
    let wanted = start([
      ("exposure.mode", "locked"), ("exposure.duration", "10ms"), ("zoom", "2x"),
      ("torch.mode", "on"), ("point_of_interest", "0.3,40%"), ("brightness", "0x10"),
      ("horizontal_flip", "on"),
    ]) { change in
      change.preset = .low
      change.rates = 5...20
      change.preview = OrientationChange(rotation: .quarter)
      change.capture = OrientationChange(isMirrored: true)
      change.streams = ["preview": StreamSettings(maximumRate: 5, quality: 40)]
    }
    try await run(wanted) { camera in
      let status = await camera.session.status
      #expect(status.refusals == [])
      #expect(status.configuration.preset == .low && status.configuration.rates == 5...20)
      #expect(status.configuration.orientations.preview.rotation == .quarter)
      #expect(status.configuration.orientations.capture.isMirrored)
      #expect(status.configuration.streams["preview"]?.quality == 40)
      #expect(status.format?.layout.size.width == 320)
      let found = try await values(
        [
          "exposure.duration", "zoom", "torch.mode", "point_of_interest", "brightness",
          "horizontal_flip",
        ], of: camera)
      #expect(
        found == [
          .number(0.01), .number(2), .integer(1), .point(PointOfInterest(x: 0.3, y: 0.4)),
          .integer(16), .boolean(true),
        ])
    }
  }

  @Test func `What a camera does not take is reported, and it runs all the same`() async throws {
    let wanted = start([
      ("brightnes", "5"), ("zoom", "90"), ("torch.mode", "dim"), ("contrast", "7"),
    ]) { $0.rates = 500...600 }
    try await run(wanted, of: "320x240@60,format=RGGB,zoom=off") { camera in
      let status = await camera.session.status
      #expect(status.state == .running)
      #expect(
        status.refusals.map(\.setting).sorted() == [
          "brightnes", "maximum_rate", "torch.mode", "zoom",
        ])
      #expect(status.refusals.contains { $0.reason.contains("did you mean brightness?") })
      #expect(try await values(["contrast"], of: camera) == [.integer(7)])
      _ = try await camera.session.set([Setting("zoom", to: .number(2))])
      let later = await camera.session.status.refusals.map(\.setting)
      #expect(later.sorted() == ["brightnes", "maximum_rate", "torch.mode"])
    }
  }

  @Test func `A format that lets the start fail is left for the camera's own`() async throws {
    let device = ScriptedDevice(
      .init(formats: [.scripted(640, 480), .scripted(1280, 720)]))
    device.script.start = { [weak device] () throws(CaptureError) in
      guard device?.requests.last?.size?.width == 1280 else { return }
      throw CaptureError(.noBandwidth, "the bus has no room")
    }
    var memory = SessionMemory()
    memory.device = device.identification
    memory.format = SessionMemory.Format(
      mode: .photo, preset: .inputPriority,
      request: FormatRequest(size: ImageSize(width: 1280, height: 720)))
    let camera = try TestCamera(device: device)
    try await camera.run { [memory] in
      await camera.session.prepare(SessionStart(), remembered: memory)
      try await camera.session.start()
      let status = await camera.session.status
      #expect(status.state == .running && status.format?.layout.size.width == 640)
      #expect(status.refusals == [Refusal("format", "the bus has no room")])
      // It is what clients have chosen, and may work the next time.
      #expect(await camera.session.memory.format == memory.format)
    }
  }

  @Test func `What clients change can be remembered, and is there again`() async throws {
    let device = ScriptedDevice(.init(formats: [.scripted(640, 480), .scripted(320, 240)]))
    let wanted = start([("gain", "50"), ("brightness", "60")]) {
      $0.streams = ["preview": StreamSettings(quality: 30)]
    }
    let first = try TestCamera(device: device)
    let memory = try await first.run {
      await first.session.prepare(wanted, remembered: SessionMemory())
      try await first.session.start()
      #expect(await first.session.takeMemory() == nil)
      _ = try await first.session.set([Setting("gain", to: .integer(70))])
      var change = SessionConfiguration()
      change.size = ImageSize(width: 320, height: 240)
      change.preview.rotation = .half
      change.streams = [
        "preview": StreamSettings(quality: 0), "full": StreamSettings(isEnabled: false),
      ]
      _ = try await first.session.configure(change)
      let memory = try #require(await first.session.takeMemory())
      #expect(memory.settings == [Setting("gain", to: .integer(70))])
      #expect(memory.device == device.identification)
      #expect(memory.preview == Orientation(.half) && memory.capture == nil)
      // What is as usual but was configured otherwise counts too.
      #expect(memory.streams["preview"] == StreamSettings().asChange)
      #expect(await first.session.takeMemory() == nil)
      return memory
    }
    device.script.controls = ["brightness": 128, "gain": 100]
    let second = try TestCamera(device: device)
    try await second.run {
      await second.session.prepare(wanted, remembered: memory)
      try await second.session.start()
      let status = await second.session.status
      #expect(status.format?.layout.size.width == 320 && status.refusals == [])
      #expect(status.configuration.orientations.preview.rotation == .half)
      #expect(status.configuration.streams == ["full": StreamSettings(isEnabled: false)])
      #expect(device.script.controls == ["brightness": 60, "gain": 70])
      #expect(await second.session.memory == memory)
      await second.session.forget()
      #expect(await second.session.takeMemory() == SessionMemory())
      #expect(device.script.controls == ["brightness": 60, "gain": 70])
      // A camera that returns has them still.
      await second.session.stop()
      device.script.controls = ["brightness": 128, "gain": 100]
      try await second.session.start()
      #expect(device.script.controls == ["brightness": 60, "gain": 70])
      #expect(await second.session.memory == SessionMemory())
    }
  }

  @Test func `A change that fails is not remembered`() async throws {
    try await run(SessionStart(), remembered: SessionMemory()) { camera in
      await #expect(throws: CaptureError.self) {
        var change = SessionConfiguration()
        change.settings = [Setting("brightness", to: .integer(7)), Setting("no", to: .integer(1))]
        change.preview.rotation = .half
        _ = try await camera.session.configure(change)
      }
      await #expect(throws: CaptureError.self) {
        var change = SessionConfiguration()
        change.settings = [Setting("brightness", to: .integer(7))]
        change.size = ImageSize(width: 4001, height: 1)
        _ = try await camera.session.configure(change)
      }
      #expect(await camera.session.takeMemory() == nil)
    }
  }

  @Test func `A ramp is remembered by its end, and where it is ended by its place`() async throws {
    try await run(SessionStart(), remembered: SessionMemory()) { camera in
      await camera.firstFrame()
      _ = try await camera.session.set([Setting("zoom", to: .number(4))], ramp: 0.01)
      let goal = try #require(await camera.session.takeMemory()).settings
      #expect(goal == [Setting("zoom_absolute", to: .integer(400))])
      await camera.session.stopRamp()
      await camera.events.wait { events in
        events.contains { event in
          guard case .memory(let memory) = event else { return false }
          return memory.settings != goal
        }
      }
    }
  }

  @Test func `What is remembered of one model is not given to another`() async throws {
    let device = ScriptedDevice(identity: "other")
    var memory = SessionMemory()
    memory.preview = Orientation(.half)
    memory.settings = [Setting("gain", to: .integer(70))]
    memory.device = device.identification
    memory.device?.identity = "moved to another port"
    for (isOther, gain) in [(false, Int64(70)), (true, 100)] {
      if isOther { memory.device?.model = "Another" }
      device.script.controls["gain"] = 100
      let camera = try TestCamera(device: device)
      try await camera.run { [memory] in
        await camera.session.prepare(SessionStart(), remembered: memory)
        try await camera.session.start()
        #expect(device.script.controls["gain"] == gain)
        #expect(await camera.session.status.configuration.orientations.preview.rotation == .half)
        #expect(await camera.session.takeMemory() == nil)
        guard isOther else { return }
        #expect(await camera.session.status.refusals.map(\.setting) == ["remembered"])
        // It stays until a control of this one is changed.
        var turn = SessionConfiguration()
        turn.preview.rotation = .quarter
        _ = try await camera.session.configure(turn)
        let turned = try #require(await camera.session.takeMemory())
        #expect(turned.settings == memory.settings && turned.device == memory.device)
        _ = try await camera.session.set([Setting("brightness", to: .integer(1))])
        let changed = try #require(await camera.session.takeMemory())
        #expect(changed.settings == [Setting("brightness", to: .integer(1))])
        #expect(changed.device == device.identification)
      }
    }
  }

  @Test func `What is set of another input is not remembered`() async throws {
    let other = ScriptedDevice(identity: "other")
    try await run(SessionStart(), remembered: SessionMemory()) { camera in
      _ = try await camera.session.set([Setting("brightness", to: .integer(9))])
      let memory = try #require(await camera.session.takeMemory())
      var change = SessionConfiguration()
      change.input = SessionInput(other)
      _ = try await camera.session.configure(change)
      #expect(await camera.session.takeMemory() == nil)
      _ = try await camera.session.set([Setting("gain", to: .integer(1))])
      #expect(await camera.session.takeMemory() == nil)
      var streams = SessionConfiguration()
      streams.streams = ["full": StreamSettings(quality: 10)]
      _ = try await camera.session.configure(streams)
      let later = try #require(await camera.session.takeMemory())
      #expect(later.settings == memory.settings && later.device == memory.device)
      #expect(later.streams.keys.sorted() == ["full"])
    }
  }

  @Test func `A camera begins anew without another start`() async throws {
    let before = start([("brightness", "20"), ("contrast", "30")]) { change in
      change.streams = [
        "preview": StreamSettings(quality: 40), "full": StreamSettings(quality: 50),
      ]
      change.preview.rotation = .quarter
    }
    let after = start([("brightness", "21"), ("test_pattern", "grey ramp"), ("nothing", "1")]) {
      change in
      change.streams = ["preview": StreamSettings(maximumRate: 9)]
      change.rates = 5...30
    }
    try await run(before) { camera in
      await camera.firstFrame()
      _ = try await camera.session.set([Setting("test_pattern", to: .integer(3))])
      var turn = SessionConfiguration()
      turn.capture.rotation = .half
      _ = try await camera.session.configure(turn)
      await camera.session.begin(anew: after)
      let status = await camera.session.status
      #expect(status.refusals.map(\.setting) == ["nothing"])
      #expect(status.configuration.streams == ["preview": StreamSettings(maximumRate: 9)])
      #expect(status.configuration.orientations.preview == .upright)
      #expect(status.configuration.orientations.capture.rotation == .half)
      #expect(status.configuration.rates == 5...30)
      // The client's pattern comes first, and what is not configured any more stays.
      #expect(
        try await values(["brightness", "contrast", "test_pattern"], of: camera)
          == [.integer(21), .integer(30), .integer(3)])
      let starts = camera.events.events.count { event in
        if case .state(let status) = event { status.state == .starting } else { false }
      }
      #expect(starts == 1)
    }
  }

  @Test func `A movie is not ended by a camera that begins anew`() async throws {
    try await run(SessionStart()) { camera in
      let turned = start([("brightness", "21")]) { $0.capture.rotation = .quarter }
      await camera.session.begin(
        anew: turned, unlessMovieEnds: CaptureError(.conflict, "it records", part: .recording))
      let status = await camera.session.status
      #expect(status.refusals == [Refusal("configuration", "it records")])
      #expect(status.configuration.orientations.capture == .upright)
      let found = try await values(["brightness"], of: camera)
      #expect(found == [.integer(21)])
    }
  }
}
