import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing

@testable import Capture

/// Photos with the flash.
@Suite(.timeLimit(.minutes(5)))
struct FlashTests {
  typealias Setting = CaptureSession.Setting

  private static let camera = "320x240@120,format=GREY,caption=off"
  private static let dim = [
    Setting("test_pattern", to: .integer(1)), Setting("exposure.duration", to: .number(0.002)),
  ]

  private func request(
    _ steps: Recorded<PhotoRequest.Step>, within wait: Duration = .seconds(60)
  ) -> PhotoRequest {
    var order = PhotoOrder([PhotoFileOrder(.raw)])
    (order.hasFlash, order.prioritization) = (true, .quality)
    return PhotoRequest(
      ticket: 1, timing: .next, asked: .now, deadline: .now + wait, order: order
    ) { steps.add($0) }
  }

  /// Takes a photo with the flash, and waits for its end.
  private func flash(
    _ camera: TestCamera, _ steps: Recorded<PhotoRequest.Step> = Recorded(),
    within wait: Duration = .seconds(60),
    onBegin: @escaping @Sendable (ShotHandle) -> Void = { _ in }
  ) async throws -> [PhotoRequest.Step] {
    let plan = try await camera.session.planFlash()
    await camera.session.take(plan, for: request(steps, within: wait), onBegin: onBegin)
    await steps.wait { $0.contains(where: \.isLast) }
    return steps.events
  }

  private func picture(_ steps: [PhotoRequest.Step]) throws -> (
    resolved: ResolvedPhoto, mean: Double
  ) {
    guard case .processed(let resolved, let file, _)? = steps.last else {
      throw CaptureError(.deviceFailed, "\(steps.map(\.name))")
    }
    let bytes = file.withBytes { unsafe $0.withUnsafeBytes { unsafe [UInt8]($0) } }
    let still = bytes.prefix(bytes.count * 2 / 5)
    return (resolved, Double(still.reduce(0) { $0 + Int($1) }) / Double(still.count))
  }

  private func values(_ camera: TestCamera) async throws -> [ControlValue?] {
    try await camera.session.controls().map(\.value)
  }

  private func value(_ id: ControlID, _ camera: TestCamera) async throws -> ControlValue? {
    try await camera.session.controls([id]).first?.value
  }

  private func letSettle(_ camera: TestCamera) async {
    for _ in 0..<8 { _ = await camera.photo(.next) }
  }

  // MARK: What is proven

  @Test(
    arguments: [("facts=on", ControlEffect.Basis.metadata), ("facts=off", .picture)],
    ["off", "on"])
  func `The photo is lit, the next one is not, and the LED is as before`(
    known: (option: String, basis: ControlEffect.Basis), torch: String
  ) async throws {
    try await TestCamera.with("\(Self.camera),settle=1-6,\(known.option)") { camera in
      _ = try await camera.session.set(Self.dim + [Setting("torch.mode", to: .string(torch))])
      await letSettle(camera)
      let before = try await values(camera)
      let asked = MonotonicTime.now
      let steps = try await flash(camera)
      let lit = try picture(steps)
      #expect(lit.resolved.flash == known.basis && lit.resolved.shot == nil)
      #expect(lit.resolved.metadata.facts.flash == (known.basis == .metadata ? true : nil))
      #expect(lit.resolved.metadata.exposure.earliestStart >= asked)
      #expect(lit.resolved.prioritization == .speed && lit.resolved.mergedCount == 1)
      guard case .willBegin(let plan)? = steps.first else { throw CancellationError() }
      #expect(plan.hasFlash && !plan.hasZeroShutterLag && plan.prioritization == .speed)
      #expect(try await values(camera) == before)
      let raw = PhotoOrder([PhotoFileOrder(.raw)])
      let next = try picture(await camera.photo(.now, order: raw))
      #expect(next.resolved.flash == nil && next.mean < lit.mean / 2)
      #expect(next.resolved.metadata.facts.flash == (known.basis == .metadata ? false : nil))
      // A torch needs some frames until it is as before.
      await letSettle(camera)
      let plain = try picture(await camera.photo(.now, order: raw))
      // Four times the light; with a torch of half its light before, less.
      #expect((torch == "on" ? 2.2...4.3 : 3.7...4.3).contains(lit.mean / plain.mean))
    }
  }

  @Test(arguments: ["facts=on", "facts=off"])
  func `A flash whose light no frame shows is fired again`(option: String) async throws {
    try await TestCamera.with("\(Self.camera),\(option)") { camera in
      // It stays dark the first time.
      _ = try await camera.session.set(
        Self.dim + [Setting("inject_flash_fault", to: .integer(0b10))])
      async let steps = flash(camera)
      await camera.reports("faults", .integer(0b10))
      _ = try await camera.session.device.setValue(.integer(0), of: "inject_flash_fault")
      #expect(try picture(await steps).resolved.flash != nil)
    }
  }

  // MARK: What fails

  @Test func `A fault of the flash fails the photo and is named`() async throws {
    try await TestCamera.with(Self.camera) { camera in
      _ = try await camera.session.set([
        Setting("inject_flash_fault", to: .integer(0b1000)),
        Setting("torch.mode", to: .string("on")),
      ])
      let before = try await values(camera)
      let steps = try await flash(camera)
      guard case .failed(let error)? = steps.last else { throw CancellationError() }
      #expect(error.code == .deviceFailed && error.message.contains("short circuit"))
      #expect(steps.count { $0.isLast } == 1)
      let states = try await camera.session.controls()
      for (state, old) in zip(states, before) where state.control.id != "faults" {
        #expect(state.value == old, "\(state.control.id)")
      }
    }
  }

  @Test(arguments: ["facts=on", "facts=off"])
  func `A flash that does not light fails the photo after some tries`(option: String) async throws {
    try await TestCamera.with("\(Self.camera),\(option)") { camera in
      // Its driver says only that the light has ended.
      _ = try await camera.session.set([Setting("inject_flash_fault", to: .integer(0b10))])
      let before = try await value("led_mode", camera)
      let steps = try await flash(camera)
      #expect(steps.map(\.name) == ["willBegin", "failed deviceFailed"])
      #expect(try await value("led_mode", camera) == before)
      #expect(try await value("strobe_timeout", camera) == .integer(100_000))
    }
  }

  @Test func `A camera without a flash refuses it before anything changes`() async throws {
    let device = ScriptedDevice()
    let camera = try TestCamera(device: device)
    try await camera.run {
      try await camera.session.start()
      for ask in [{ _ = try $0.planFlash() }, { try $0.requireFlash() }]
        as [@Sendable (isolated CaptureSession) throws -> Void]
      {
        await #expect {
          try await ask(camera.session)
        } throws: { error in
          (error as? CaptureError)?.code == .noSuchControl
        }
      }
      #expect(try await camera.session.capabilities().hasFlash == false)
    }
  }

  // MARK: Ends

  /// How the stream ends in the middle of the photo.
  enum End: CaseIterable, Sendable { case unplugged, stalled, stopped }

  /// When it does.
  enum Moment: CaseIterable, Sendable {
    /// The settings are resolved.
    case begun
    /// The LED is ready.
    case ready
    /// The flash has been fired.
    case fired
  }

  @Test(arguments: End.allCases, Moment.allCases)
  func `When the stream ends at any step, the LED is as before once the camera is back`(
    end: End, moment: Moment
  ) async throws {
    try await TestCamera.with("\(Self.camera),settle=6,facts=off") { camera in
      let session = camera.session
      let device = await session.device
      _ = try await session.set([
        Setting("torch.mode", to: .string("on")),
        // No frame shows the light, so that the photo does not end before.
        Setting("inject_flash_fault", to: .integer(0b10)),
      ])
      let steps = Recorded<PhotoRequest.Step>()
      async let taken = flash(camera, steps)
      await steps.wait { !$0.isEmpty }
      switch moment {
      case .begun: break
      case .ready: await camera.reports("led_mode", .integer(1))
      case .fired: await camera.reports("faults", .integer(0b10))
      }
      switch end {
      case .unplugged: _ = try device.setValue(.boolean(true), of: "disconnect")
      case .stalled: _ = try device.setValue(.boolean(true), of: "inject_stall")
      case .stopped: await session.stop()
      }
      #expect(try await taken.filter(\.isFailed).map(\.name) == ["failed interrupted"])
      #expect(steps.events.count(where: \.isLast) == 1)
      switch end {
      case .unplugged: _ = try device.setValue(.boolean(false), of: "disconnect")
      case .stalled: _ = try device.setValue(.boolean(false), of: "inject_stall")
      case .stopped:
        #expect(try await value("led_mode", camera) == .integer(2))
        try await session.start()
      }
      await camera.firstFrame(ofRun: 2)
      #expect(try await value("led_mode", camera) == .integer(2))
      #expect(try await value("strobe_timeout", camera) == .integer(100_000))
      #expect(await session.ledger.owed.isEmpty)
    }
  }

  @Test func `It can be cancelled until its frame is taken`() async throws {
    try await TestCamera.with("\(Self.camera),facts=off") { camera in
      let answers = Recorded<Bool>()
      let cancelled = try await flash(camera) { answers.add($0.cancel()) }
      #expect(answers.events == [true])
      #expect(cancelled.map(\.name) == ["willBegin", "failed cancelled"])
      #expect(try await value("led_mode", camera) == .integer(0))
      let handles = Recorded<ShotHandle>()
      _ = try await flash(camera) { handles.add($0) }
      let handle = try #require(handles.events.first)
      #expect(await camera.frameLoop.run { handle.cancel() } == false)
    }
  }

  @Test func `A photo whose time is over ends, and the LED is as before`() async throws {
    try await TestCamera.with("\(Self.camera),facts=off") { camera in
      _ = try await camera.session.set([Setting("inject_flash_fault", to: .integer(0b10))])
      let steps = try await flash(camera, within: .milliseconds(300))
      #expect(steps.last?.name == "failed deadlineExceeded")
      #expect(try await value("led_mode", camera) == .integer(0))
    }
  }

  // MARK: Auto

  @Test(arguments: [(2, true), (100, false)])
  func `A scene is dark by its newest picture`(exposure: Int64, isDark: Bool) async throws {
    try await TestCamera.with(Self.camera) { camera in
      _ = try await camera.session.set([
        Setting("auto_exposure", to: .integer(1)),
        Setting("exposure_time_absolute", to: .integer(exposure)),
      ])
      await letSettle(camera)
      #expect(await camera.pipeline.isDark(until: .now + .seconds(60)) == isDark)
    }
  }

  @Test func `Frames of a start that are too dark do not count`() async throws {
    try await TestCamera.with("\(Self.camera),warmup=6") { camera in
      #expect(await camera.pipeline.isDark(until: .now + .seconds(60)) == false)
    }
  }

  @Test func `Without frames nothing is dark`() async throws {
    try await TestCamera.with(Self.camera, isStarted: false) { camera in
      #expect(await camera.pipeline.isDark(until: .now + .milliseconds(20)) == false)
    }
  }
}

extension TestCamera {
  /// Waits until the session has reported a value of a control.
  fileprivate func reports(_ id: ControlID, _ value: ControlValue) async {
    await events.wait { events in
      events.contains { event in
        guard case .control(let state) = event else { return false }
        return state.control.id == id && state.value == value
      }
    }
  }
}
