import Capture

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
    case .zoom: integer("Zoom, Absolute", 100...500, default: 100)
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
      defaultValue: defaultValue
    )
  }

  /// A control that counts down with every frame.
  private func counter(_ name: String) -> ControlDescription {
    integer(name, 0...1_000_000, default: 0, flags: .volatile)
  }

  private func boolean(
    _ name: String,
    flags: ControlDescription.Flags = []
  ) -> ControlDescription {
    ControlDescription(id: id, name: name, kind: .boolean, flags: flags, maximum: 1)
  }

  private func button(_ name: String) -> ControlDescription {
    ControlDescription(id: id, name: name, kind: .button, flags: .writeOnly, step: 0)
  }

  private func menu(_ name: String, _ items: [(index: Int64, name: String)]) -> ControlDescription {
    ControlDescription(
      id: id,
      name: name,
      kind: .menu,
      maximum: items.map(\.index).max() ?? 0,
      menu: items.map { .init(index: $0.index, name: $0.name) }
    )
  }
}
