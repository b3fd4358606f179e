import Capture
import Glibc

extension SyntheticControl {
  /// The control's description, except for flags that depend on other controls.
  var staticDescription: ControlDescription {
    switch self {
    case .brightness: integer("Brightness", 0...255, default: 128)
    case .contrast: integer("Contrast", 0...255, default: 128)
    case .autoExposure:
      menu(
        "Auto Exposure",
        [
          (ExposureMode.automatic.rawValue, "Auto Mode"),
          (ExposureMode.manual.rawValue, "Manual Mode"),
        ]
      )
    case .exposureTime: integer("Exposure Time, Absolute", 1...10_000, default: 100)
    case .gain: integer("Gain", 100...1600, default: 100)
    case .exposureBias: biases
    case .region: region
    case .regionAutomatics:
      ControlDescription(
        id: id, name: "Region of Interest Auto Ctrls", kind: .bitmask, maximum: 1,
        standard: standard)
    case .autoWhiteBalance: boolean("White Balance, Automatic", default: true)
    case .doWhiteBalance: button("Do White Balance")
    case .whiteBalance:
      integer("White Balance Temperature", 2800...6500, step: 10, default: 5000)
    case .ledMode:
      menu(
        "LED Mode",
        [
          (LEDMode.off.rawValue, "Off"), (LEDMode.flash.rawValue, "Flash"),
          (LEDMode.torch.rawValue, "Torch"),
        ]
      )
    case .torchIntensity: integer("Intensity, Torch Mode", 0...100, default: 50)
    case .strobe: button("Strobe")
    case .stopStrobe: button("Stop Strobe")
    case .strobeStatus: boolean("Strobe Status", flags: [.readOnly, .volatile])
    case .strobeTimeout:
      integer("Strobe Timeout", 10_000...1_000_000, step: 10_000, default: 100_000)
    case .faults: flashFaults("Faults", flags: [.readOnly, .volatile])
    case .zoom: integer("Zoom, Absolute", 100...500, default: 100)
    case .autoFocus: boolean("Focus, Automatic Continuous")
    case .focus: integer("Focus, Absolute", 0...250, step: 5, default: 0)
    case .horizontalFlip: boolean("Horizontal Flip")
    case .verticalFlip: boolean("Vertical Flip")
    case .testPattern: menu("Test Pattern", TestPattern.allCases.map { ($0.rawValue, $0.name) })
    case .temperature: integer("Temperature", -40...125, default: 40)
    case .disconnect: boolean("Disconnect", flags: .volatile)
    case .disconnectFor:
      integer("Disconnect for Milliseconds", 0...3_600_000, default: 0, flags: .volatile)
    case .busy: boolean("Inject Busy")
    case .stall: boolean("Inject Stall")
    case .errorBuffers: counter("Inject Error Buffers")
    case .truncated: counter("Inject Truncated Frames")
    case .frameLoss: counter("Inject Frame Loss")
    case .streamOnError: button("Inject STREAMON Error")
    case .flashFault: flashFaults("Inject Flash Fault")
    case .fatalError: button("Inject Fatal Error")
    }
  }

  private func integer(
    _ name: String,
    _ range: ClosedRange<Int64>,
    step: Int64 = 1,
    default defaultValue: Int64,
    flags: ControlDescription.Flags = []
  ) -> ControlDescription {
    ControlDescription(
      id: id,
      name: name,
      kind: .integer,
      flags: flags,
      minimum: range.lowerBound,
      maximum: range.upperBound,
      step: step,
      defaultValue: defaultValue,
      standard: standard
    )
  }

  /// A control that counts down with every frame.
  private func counter(_ name: String) -> ControlDescription {
    integer(name, 0...1_000_000, default: 0, flags: .volatile)
  }

  /// From -2 to 2 EV in halves.
  private var biases: ControlDescription {
    var control = menu(
      "Auto Exposure, Bias",
      (0...8).map { (index: Int64($0), name: "\(Self.milliEV(ofBias: Int64($0)))") })
    control.kind = .integerMenu
    control.defaultValue = 4
    return control
  }

  private var region: ControlDescription {
    let bounds = SensorRegion.bounds
    var control = ControlDescription(
      id: id, name: "Region of Interest Rectangle", kind: .array,
      maximum: max(bounds.largest.width, bounds.largest.height), dimensions: [4], elementSize: 4,
      standard: standard)
    control.regions = bounds
    return control
  }

  private static func milliEV(ofBias index: Int64) -> Int64 { (index - 4) * 500 }

  /// The factor of light for an item of `auto_exposure_bias`.
  static func factor(ofBias index: Int64) -> Double {
    exp2(Double(milliEV(ofBias: index)) / 1000)
  }

  private func boolean(
    _ name: String,
    default isOn: Bool = false,
    flags: ControlDescription.Flags = []
  ) -> ControlDescription {
    ControlDescription(
      id: id, name: name, kind: .boolean, flags: flags, maximum: 1, defaultValue: isOn ? 1 : 0,
      standard: standard)
  }

  private func button(_ name: String) -> ControlDescription {
    ControlDescription(
      id: id, name: name, kind: .button, flags: .writeOnly, step: 0, standard: standard)
  }

  /// The bits of V4L2_CID_FLASH_FAULT.
  private func flashFaults(
    _ name: String, flags: ControlDescription.Flags = []
  ) -> ControlDescription {
    ControlDescription(
      id: id, name: name, kind: .bitmask, flags: flags, maximum: 0x1ff, standard: standard)
  }

  private func menu(_ name: String, _ items: [(index: Int64, name: String)]) -> ControlDescription {
    ControlDescription(
      id: id,
      name: name,
      kind: .menu,
      maximum: items.map(\.index).max() ?? 0,
      menu: items.map { .init(index: $0.index, name: $0.name) },
      standard: standard
    )
  }
}
