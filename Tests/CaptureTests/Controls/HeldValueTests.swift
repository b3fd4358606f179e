import Testing

@testable import Capture

/// What a driver is given so that its automatics end at what they have decided.
struct HeldValueTests {
  private typealias Setting = CaptureSession.Setting
  private typealias Values = [ControlID: ControlValue]

  private static func control(
    _ id: String, _ standard: StandardControl, _ kind: ControlDescription.Kind = .integer,
    _ range: ClosedRange<Int64> = 0...1, menu: [(Int64, String)] = []
  ) -> ControlDescription {
    ControlDescription(
      id: ControlID(rawValue: id), name: id, kind: kind, minimum: range.lowerBound,
      maximum: range.upperBound, menu: menu.map { .init(index: $0.0, name: $0.1) },
      standard: standard)
  }

  private static let exposure = [
    control("auto_exposure", .exposureAuto, .menu, 0...3, menu: [(1, "Manual"), (3, "Aperture")]),
    control("exposure_time_absolute", .exposureAbsolute, .integer, 3...2047),
    control("gain", .gain, .integer, 0...200),
  ]
  private static let whiteBalance = [
    control("white_balance_automatic", .autoWhiteBalance, .boolean),
    control("white_balance_temperature", .whiteBalanceTemperature, .integer, 2000...6500),
    control("red_balance", .redBalance, .integer, 0...255),
  ]
  private static let measuring = control("do_white_balance", .doWhiteBalance, .button)
  private static let automaticGain = control("gain_automatic", .automaticGain, .boolean)
  private static let lock = control("3a_lock", .lockOfAutomatics, .bitmask, 0...7)

  private static let running: [ControlID: ControlValue] = [
    "auto_exposure": .integer(3), "exposure_time_absolute": .integer(156), "gain": .integer(33),
    "white_balance_automatic": .boolean(true), "white_balance_temperature": .integer(4321),
    "red_balance": .integer(99), "gain_automatic": .boolean(true), "3a_lock": .integer(4),
  ]

  private func expand(
    _ settings: KeyValuePairs<String, String>, on controls: [ControlDescription],
    _ values: [ControlID: ControlValue] = running
  ) throws -> [String] {
    let meanings = ControlMeanings(controls)
    let settings = settings.map { Setting(ControlID(rawValue: $0.key), to: .string($0.value)) }
    return try meanings.expand(settings) { values[$0] }.map { text($0) }
  }

  private func text(_ setting: CaptureSession.Setting) -> String {
    switch setting.value {
    case .integer(let number): "\(setting.control)=\(number)"
    case .boolean(let isOn): "\(setting.control)=\(isOn)"
    default: "\(setting.control)"
    }
  }

  @Test func `A locked automatic ends at its present values, and not at old ones`() throws {
    #expect(
      try expand(["exposure.mode": "locked"], on: Self.exposure)
        == ["auto_exposure=1", "exposure_time_absolute=156", "gain=33"])
    #expect(
      try expand(["white_balance.mode": "locked"], on: Self.whiteBalance)
        == [
          "white_balance_automatic=false", "white_balance_temperature=4321", "red_balance=99",
        ])
  }

  @Test func `An automatic gain is part of an automatic exposure, also alone`() throws {
    let both = Self.exposure + [Self.automaticGain]
    #expect(
      try expand(["exposure.mode": "locked"], on: both)
        == ["gain_automatic=false", "auto_exposure=1", "exposure_time_absolute=156", "gain=33"])
    #expect(
      try expand(["exposure.mode": "auto"], on: both) == ["gain_automatic=true", "auto_exposure=3"])
    let alone = [Self.exposure[2], Self.automaticGain]
    #expect(
      try expand(["exposure.mode": "locked"], on: alone) == ["gain_automatic=false", "gain=33"])
    #expect(try expand(["exposure.mode": "auto"], on: alone) == ["gain_automatic=true"])
    // With the exposure set by hand, the gain alone has been automatic.
    var values = Self.running
    values["auto_exposure"] = .integer(1)
    #expect(
      try expand(["exposure.mode": "locked"], on: both, values)
        == ["gain_automatic=false", "auto_exposure=1", "exposure_time_absolute=156", "gain=33"])
    let meanings = ControlMeanings(both)
    let mode = try meanings.control("exposure.mode")
    #expect(meanings.state(of: mode) { values[$0] }.value == .integer(1))
  }

  @Test func `Where no automatic runs, nothing else is set`() throws {
    var values = Self.running
    values["auto_exposure"] = .integer(1)
    #expect(
      try expand(["exposure.mode": "locked"], on: Self.exposure, values) == ["auto_exposure=1"])
  }

  @Test func `What a driver does not say, or cannot take, is not held`() throws {
    var values = Self.running
    values["exposure_time_absolute"] = .integer(0)
    values["gain"] = nil
    #expect(
      try expand(["exposure.mode": "locked"], on: Self.exposure, values) == ["auto_exposure=1"])
  }

  @Test func `A value that is named counts more than one that is held, in any order`() throws {
    let meanings = ControlMeanings(Self.exposure)
    let lock = Setting("exposure.mode", to: .string("locked"))
    let time = Setting("exposure.duration", to: .number(0.02))
    for settings in [[lock, time], [time, lock]] {
      let expanded = try meanings.expand(settings) { Self.running[$0] }.map(text)
      #expect(expanded.filter { $0.hasPrefix("exposure_time") } == ["exposure_time_absolute=200"])
      #expect(expanded.first == "auto_exposure=1" && expanded.contains("gain=33"))
    }
  }

  @Test func `A lock of the driver's holds without an end of the automatic`() throws {
    let controls = Self.exposure + Self.whiteBalance + [Self.lock]
    #expect(try expand(["exposure.mode": "locked"], on: controls) == ["3a_lock=5"])
    #expect(
      try expand(["exposure.mode": "locked", "white_balance.mode": "locked"], on: controls)
        == ["3a_lock=5", "3a_lock=7"])
    var values = Self.running
    values["3a_lock"] = .integer(7)
    #expect(
      try expand(["white_balance.mode": "auto"], on: controls, values)
        == ["3a_lock=5", "white_balance_automatic=true"])
    let meanings = ControlMeanings(controls)
    let mode = try meanings.control("exposure.mode")
    #expect(mode.sources.contains("3a_lock"))
    #expect(meanings.state(of: mode) { values[$0] }.value == .integer(1))
    values["3a_lock"] = .integer(4)
    #expect(meanings.state(of: mode) { values[$0] }.value == .integer(0))
    // A lock of the focus alone is none of the exposure.
    let focusLock = Self.control("3a_lock", .lockOfAutomatics, .bitmask, 0...4)
    #expect(
      try expand(["white_balance.mode": "auto"], on: Self.whiteBalance + [focusLock])
        == ["white_balance_automatic=true"])
  }

  @Test func `White is measured once where the driver can do so`() throws {
    let controls = Self.whiteBalance + [Self.measuring]
    #expect(
      try expand(["white_balance.mode": "once"], on: controls)
        == ["white_balance_automatic=false", "do_white_balance"])
    #expect(
      try ControlMeanings(controls).control("white_balance.mode").menu.map(\.name)
        == ["auto", "once", "locked"])
    #expect(
      try ControlMeanings(Self.whiteBalance).control("white_balance.mode").menu.map(\.name)
        == ["auto", "locked"])
    #expect(
      try expand(["white_balance.mode": "once"], on: [Self.measuring]) == ["do_white_balance"])
  }
}
