import Foundation
import TestSupport
import Testing

@testable import Capture

/// What V4L2's controls mean, on a camera as USB cameras are.
struct ControlMeaningsTests {
  private typealias Setting = CaptureSession.Setting

  private static func control(
    _ id: String, _ standard: StandardControl?, _ kind: ControlDescription.Kind = .integer,
    _ range: ClosedRange<Int64> = 0...1, step: Int64 = 1, menu: [(Int64, String)] = []
  ) -> ControlDescription {
    ControlDescription(
      id: ControlID(rawValue: id), name: id, kind: kind, minimum: range.lowerBound,
      maximum: range.upperBound, step: step, defaultValue: range.lowerBound,
      menu: menu.map { .init(index: $0.0, name: $0.1) }, standard: standard)
  }

  /// As uvcvideo describes a webcam.
  private static let webcam = [
    control("brightness", .brightness, .integer, 0...255),
    control(
      "auto_exposure", .exposureAuto, .menu, 0...3,
      menu: [(1, "Manual Mode"), (3, "Aperture Priority Mode")]),
    control("exposure_time_absolute", .exposureAbsolute, .integer, 3...2047),
    control("exposure_dynamic_framerate", .exposureAutoPriority, .boolean),
    control("gain", .gain, .integer, 0...200),
    control("focus_absolute", .focusAbsolute, .integer, 0...250, step: 5),
    control("focus_automatic_continuous", .focusAuto, .boolean),
    control("white_balance_automatic", .autoWhiteBalance, .boolean),
    control("white_balance_temperature", .whiteBalanceTemperature, .integer, 2000...6500),
    control("zoom_absolute", .zoomAbsolute, .integer, 100...500),
    control("led1_mode", nil, .menu, 0...1, menu: [(0, "Off"), (1, "On")]),
  ]

  private static let phoneCamera = [
    control(
      "iso_sensitivity", .isoSensitivity, .integerMenu, 0...2,
      menu: [(0, "100000"), (1, "200000"), (2, "400000")]),
    control(
      "auto_exposure_bias", .autoExposureBias, .integerMenu, 0...2,
      menu: [(0, "-1000"), (1, "0"), (2, "1000")]),
    control("auto_focus_start", .autoFocusStart, .button),
    control(
      "led_mode", .flashLEDMode, .menu, 0...2, menu: [(0, "Off"), (1, "Flash"), (2, "Torch")]),
    control("intensity_torch_mode", .torchIntensity, .integer, 10...20),
    control("image_stabilization", .imageStabilization, .boolean),
  ]

  @Test func `A webcam has the meanings that its controls allow`() throws {
    let meanings = ControlMeanings(Self.webcam)
    #expect(
      meanings.controls.map(\.id.rawValue) == [
        "exposure.mode", "exposure.duration", "exposure.gain", "low_light", "focus.mode",
        "focus.position", "white_balance.mode", "white_balance.kelvin", "zoom",
      ])
    let duration = try meanings.control("exposure.duration")
    #expect(duration.scale?.range == 0.0003...0.2047)
    #expect(duration.scale?.unit == "s")
    #expect(duration.sources == ["exposure_time_absolute", "auto_exposure"])
    let step = try #require(try meanings.control("focus.position").scale?.step)
    #expect(abs(step - 0.02) < 1e-9)
    #expect(try meanings.control("zoom").scale?.range == 1...5)
    // The defaults are off and manual.
    #expect(try meanings.control("focus.mode").defaultValue == 2)
    let error = #expect(throws: CaptureError.self) { try meanings.control("torch.level") }
    #expect(error?.code == .noSuchControl)
  }

  @Test(
    arguments: [
      (
        "exposure.duration", .number(0.01),
        [
          Setting("auto_exposure", to: .integer(1)),
          Setting("exposure_time_absolute", to: .integer(100)),
        ]
      ),
      ("exposure.mode", .string("auto"), [Setting("auto_exposure", to: .integer(3))]),
      ("exposure.mode", .string("locked"), [Setting("auto_exposure", to: .integer(1))]),
      (
        "exposure.gain", .number(0.5),
        [Setting("auto_exposure", to: .integer(1)), Setting("gain", to: .integer(100))]
      ),
      (
        "focus.position", .number(0.4),
        [
          Setting("focus_automatic_continuous", to: .boolean(false)),
          Setting("focus_absolute", to: .integer(150)),
        ]
      ),
      ("focus.mode", .string("auto"), [Setting("focus_automatic_continuous", to: .boolean(true))]),
      (
        "white_balance.kelvin", .integer(5000),
        [
          Setting("white_balance_automatic", to: .boolean(false)),
          Setting("white_balance_temperature", to: .integer(5000)),
        ]
      ),
      ("zoom", .integer(2), [Setting("zoom_absolute", to: .integer(200))]),
      (
        "low_light", .boolean(true), [Setting("exposure_dynamic_framerate", to: .boolean(true))]
      ),
      ("brightness", .integer(7), [Setting("brightness", to: .integer(7))]),
    ] as [(ControlID, ControlValue, [CaptureSession.Setting])])
  func `A setting stands for what the driver needs, in its order`(
    id: ControlID, value: ControlValue, expected: [CaptureSession.Setting]
  ) throws {
    let meanings = ControlMeanings(Self.webcam)
    #expect(try meanings.expand([Setting(id, to: value)]) == expected)
  }

  @Test(
    arguments: [
      ("exposure.iso", .number(250), [Setting("iso_sensitivity", to: .integer(1))]),
      ("exposure.bias", .number(-0.8), [Setting("auto_exposure_bias", to: .integer(0))]),
      ("focus.mode", .string("once"), [Setting("auto_focus_start", to: .press)]),
      ("torch.mode", .string("on"), [Setting("led_mode", to: .integer(2))]),
      (
        "torch.level", .number(0.5),
        [
          Setting("led_mode", to: .integer(2)), Setting("intensity_torch_mode", to: .integer(15)),
        ]
      ),
      ("flash.mode", .string("on"), [Setting("led_mode", to: .integer(1))]),
      ("stabilization", .boolean(true), [Setting("image_stabilization", to: .boolean(true))]),
    ] as [(ControlID, ControlValue, [CaptureSession.Setting])])
  func `Menus of numbers, buttons and lights have meanings too`(
    id: ControlID, value: ControlValue, expected: [CaptureSession.Setting]
  ) throws {
    let meanings = ControlMeanings(Self.phoneCamera)
    #expect(try meanings.expand([Setting(id, to: value)]) == expected)
  }

  @Test(
    arguments: [
      ("exposure.duration", .number(1)), ("exposure.duration", .number(.nan)),
      ("zoom", .number(5.01)), ("zoom", .boolean(true)), ("focus.mode", .string("once")),
      ("focus.mode", .integer(.max)),
    ] as [(ControlID, ControlValue)])
  func `A value that the camera does not take is refused`(id: ControlID, value: ControlValue) {
    let error = #expect(throws: CaptureError.self) {
      try ControlMeanings(Self.webcam).expand([Setting(id, to: value)])
    }
    #expect(error?.code == .invalidControlValue)
    #expect(error?.part == .control(id))
  }

  @Test(
    arguments: [
      [
        Setting("exposure.mode", to: .string("auto")),
        Setting("exposure.duration", to: .number(0.01)),
      ],
      [Setting("zoom", to: .number(2)), Setting("zoom_absolute", to: .integer(100))],
    ])
  func `Settings that contradict each other are refused`(
    settings: [CaptureSession.Setting]
  ) throws {
    let error = #expect(throws: CaptureError.self) {
      try ControlMeanings(Self.webcam).expand(settings)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.part == .control(settings[1].control))
  }

  @Test func `Settings that need the same are no contradiction`() throws {
    let expanded = try ControlMeanings(Self.webcam).expand([
      Setting("exposure.mode", to: .string("locked")),
      Setting("exposure.duration", to: .number(0.02)), Setting("exposure.gain", to: .number(0)),
    ])
    #expect(
      expanded == [
        Setting("auto_exposure", to: .integer(1)),
        Setting("exposure_time_absolute", to: .integer(200)), Setting("gain", to: .integer(0)),
      ])
  }

  @Test func `Values are read from the driver's, and what an automatic decides is no fact`() throws
  {
    let meanings = ControlMeanings(Self.webcam)
    var values: [ControlID: ControlValue] = [
      "auto_exposure": .integer(1), "exposure_time_absolute": .integer(333),
      "gain": .integer(50), "focus_absolute": .integer(250),
      "focus_automatic_continuous": .boolean(true), "zoom_absolute": .integer(150),
    ]
    func value(_ id: ControlID) throws -> ControlValue? {
      meanings.state(of: try meanings.control(id)) { values[$0] }.value
    }
    #expect(try value("exposure.mode") == .integer(1))
    #expect(try value("exposure.duration") == .number(0.0333))
    #expect(try value("exposure.gain") == .number(0.25))
    #expect(try value("focus.position") == .number(0))
    #expect(try value("white_balance.kelvin") == nil)
    var facts = meanings.facts { values[$0] }
    #expect(facts.exposure == 33_300_000)
    #expect(facts.gain == 0.25)
    #expect(facts.zoom == 1.5)
    #expect(facts.focus == nil)
    values["auto_exposure"] = .integer(3)
    facts = meanings.facts { values[$0] }
    #expect(facts.exposure == nil)
    #expect(facts.gain == nil)
    values["auto_exposure"] = nil
    #expect(meanings.facts { values[$0] }.exposure == nil)
    #expect(try value("exposure.mode") == nil)
  }

  @Test func `A control's state tells which meanings change with it`() {
    let meanings = ControlMeanings(Self.webcam)
    #expect(meanings.dependents(on: "exposure_time_absolute") == ["exposure.duration"])
    #expect(meanings.dependents(on: "auto_exposure") == ["exposure.mode"])
    #expect(meanings.dependents(on: "brightness").isEmpty)
  }

  @Test func `The specification has a row for each meaning, and no other`() throws {
    let text = String(decoding: try Repository.contents(of: "Protocol/README.md"), as: UTF8.self)
    let table = try #require(text.split(separator: "| control | value |").last)
      .prefix { $0 != "#" }
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let named = rows.flatMap { row in
      row.dropFirst(2).prefix { $0 != "|" }.split(separator: ",").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
      }
    }
    #expect(named == ControlMeaning.all.map(\.id.rawValue))
  }
}
