import Testing

@testable import Capture

/// How a camera's flash is fired.
struct FlashPlannerTests {
  typealias Setting = CaptureSession.Setting

  private static let mode = ControlDescription(
    id: "led_mode", name: "LED Mode", kind: .menu, maximum: 2,
    menu: [
      .init(index: 0, name: "Off"), .init(index: 1, name: "Flash"), .init(index: 2, name: "Torch"),
    ],
    standard: .flashLEDMode)
  private static let strobe = ControlDescription(
    id: "strobe", name: "Strobe", kind: .button, flags: .writeOnly, standard: .flashStrobe)
  private static let timeout = ControlDescription(
    id: "strobe_timeout", name: "Strobe Timeout", kind: .integer, minimum: 1000, maximum: 500_000,
    step: 1000, standard: .flashTimeout)

  private static func source(_ items: Int64..., flags: ControlDescription.Flags = [])
    -> ControlDescription
  {
    ControlDescription(
      id: "strobe_source", name: "Strobe Source", kind: .menu, flags: flags, maximum: 1,
      menu: items.map { .init(index: $0, name: "\($0)") }, standard: .flashStrobeSource)
  }

  private static let values: [ControlID: ControlValue] = [
    "led_mode": .integer(2), "strobe_source": .integer(1), "strobe_timeout": .integer(1000),
  ]

  private func plan(
    _ controls: [ControlDescription], _ values: [ControlID: ControlValue] = values
  ) throws -> (step: FlashStep, before: [Setting]) {
    let plan = try FlashPlanner(PresentControls(controls) { values[$0] }).plan(of: "camera")
    guard case .flash(let step) = plan.shots else { throw CancellationError() }
    return (step, plan.before)
  }

  @Test func `The LED is made ready last, and put back first`() throws {
    let (step, before) = try plan([Self.mode, Self.source(0, 1), Self.strobe, Self.timeout])
    #expect(
      step.changes == [
        Setting("strobe_source", to: .integer(0)), Setting("strobe_timeout", to: .integer(500_000)),
        Setting("led_mode", to: .integer(1)),
      ])
    #expect(
      before == [
        Setting("strobe_source", to: .integer(1)), Setting("strobe_timeout", to: .integer(1000)),
        Setting("led_mode", to: .integer(2)),
      ])
    #expect(step.strobe == "strobe" && step.stop == nil && step.faults == nil)
    #expect(step.duration == 500_000_000)
  }

  @Test func `Without a limit its light is assumed to last half a second`() throws {
    let (step, before) = try plan([Self.mode, Self.strobe])
    #expect(step.duration == 500_000_000 && before.map(\.control) == ["led_mode"])
  }

  @Test func `A limit and a source that cannot be changed are taken as they are`() throws {
    var timeout = Self.timeout
    timeout.flags = .readOnly
    let (step, _) = try plan([Self.mode, Self.source(0, flags: .readOnly), Self.strobe, timeout])
    #expect(step.changes.map(\.control) == ["led_mode"] && step.duration == 1_000_000)
  }

  @Test func `The end of the light and the faults are used if there are any`() throws {
    let stop = ControlDescription(
      id: "stop_strobe", name: "Stop Strobe", kind: .button, standard: .flashStrobeStop)
    let faults = ControlDescription(
      id: "faults", name: "Faults", kind: .bitmask, flags: [.readOnly, .volatile],
      standard: .flashFault)
    let (step, before) = try plan([Self.mode, Self.strobe, stop, faults])
    #expect(step.stop == "stop_strobe" && step.faults == "faults")
    #expect(before.map(\.control) == ["led_mode"])
  }

  @Test func `What cannot be fired by the node is no flash`() {
    var torch = Self.mode
    torch.menu.removeAll { $0.index == 1 }
    for controls in [
      [], [Self.mode], [Self.strobe], [torch, Self.strobe],
      [Self.mode, Self.strobe, Self.source(1)],
    ] {
      #expect(!FlashPlanner.canFire(controls))
      let error = #expect(throws: CaptureError.self) { try plan(controls) }
      #expect(error?.code == .noSuchControl && error?.part == .flash)
    }
    #expect(FlashPlanner.canFire([Self.mode, Self.strobe]))
  }

  @Test func `An LED that could not be put back is left alone`() {
    var mode = Self.mode
    mode.flags = .grabbed
    let grabbed = #expect(throws: CaptureError.self) { try plan([mode, Self.strobe]) }
    #expect(grabbed?.code == .controlNotWritable && grabbed?.part == .control("led_mode"))
    let unreadable = #expect(throws: CaptureError.self) { try plan([Self.mode, Self.strobe], [:]) }
    #expect(unreadable?.code == .invalidArgument && unreadable?.part == .control("led_mode"))
  }
}
