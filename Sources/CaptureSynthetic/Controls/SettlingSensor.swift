import Capture
import OperatingSystem

/// After how many frames a change of a control shows. A real camera needs two or three.
package struct Settling: Hashable, Sendable {
  /// 1 is the next frame.
  package var frames = 1...1
  /// Decides on the number of each change.
  package var seed: UInt64 = 1

  package init() {}
}

/// The values of the controls with which the sensor takes its frames. A change reaches it after
/// some frames.
struct SettlingSensor: Sendable {
  private struct Change: Sendable {
    var control: SyntheticControl
    var value: Int64
    /// How many frames until it shows; 1 is the next.
    var frames: Int
  }

  private(set) var picture = PictureSettings()
  private(set) var facts = FrameFacts()
  private var values: [SyntheticControl: Int64]
  private var changes: [Change] = []
  private var isNew = true
  private let frames: ClosedRange<Int>
  private var generator: SplitMix64

  init(_ values: [SyntheticControl: Int64], _ settling: Settling) {
    self.values = values
    frames = settling.frames
    generator = SplitMix64(seed: settling.seed)
  }

  mutating func set(_ control: SyntheticControl, to value: Int64) {
    let due = Int.random(in: frames, using: &generator)
    // What would settle later must not overwrite this.
    changes.removeAll { $0.control == control && $0.frames >= due }
    changes.append(Change(control: control, value: value, frames: due))
  }

  /// Takes these values at once.
  mutating func reset(_ values: [SyntheticControl: Int64]) {
    self.values = values
    changes = []
    isNew = true
  }

  mutating func takeFrame(_ controls: some Sequence<ControlDescription>) {
    for index in changes.indices {
      changes[index].frames -= 1
      guard changes[index].frames == 0 else { continue }
      values[changes[index].control] = changes[index].value
      isNew = true
    }
    guard isNew else { return }
    isNew = false
    changes.removeAll { $0.frames == 0 }
    picture = PictureSettings(values)
    let values = values
    facts = ControlMeanings(controls).facts { id in
      SyntheticControl(id).flatMap { control in
        values[control].map { control.isToggle ? .boolean($0 != 0) : .integer($0) }
      }
    }
  }
}

extension PictureSettings {
  /// What an automatic makes of a control: the scene is lit at 5000 K, and the exposure alone makes
  /// it lighter.
  static func automatic(
    _ control: SyntheticControl, _ values: [SyntheticControl: Int64]
  ) -> Int64 {
    switch control {
    case .exposureTime: Int64(max(1, min((100 * automaticLight(values)).rounded(), 10_000)))
    case .gain: 100
    case .whiteBalance: 5000
    default: values[control] ?? 0
    }
  }

  private static func automaticLight(_ values: [SyntheticControl: Int64]) -> Double {
    let light = SyntheticControl.factor(ofBias: values[.exposureBias] ?? 0)
    guard (values[.regionAutomatics] ?? 0) & 1 != 0 else { return light }
    let pattern = TestPattern(rawValue: values[.testPattern] ?? 0) ?? .bars
    return light * pattern.metered(in: SensorRegion.region(values[.region] ?? 0))
  }

  /// The picture that results from the values of the controls.
  init(_ values: [SyntheticControl: Int64]) {
    func value(_ control: SyntheticControl) -> Int64 { values[control] ?? 0 }
    self.init()
    pattern = TestPattern(rawValue: value(.testPattern)) ?? .bars
    if value(.autoExposure) == SyntheticControl.ExposureMode.manual.rawValue {
      light = Double(value(.exposureTime) * value(.gain)) / 10_000
      exposure = value(.exposureTime) * 100_000
    } else {
      light = Self.automaticLight(values)
    }
    if value(.ledMode) == SyntheticControl.LEDMode.torch.rawValue {
      light *= 1 + Double(value(.torchIntensity)) / 100
    }
    if value(.autoWhiteBalance) == 0 { warmth = Double(value(.whiteBalance)) / 5000 }
    darkCurrent = Double(max(value(.temperature) - 50, 0))
    contrast = Double(value(.contrast)) / 128
    brightness = Double(value(.brightness) - 128)
    zoom = Double(value(.zoom)) / 100
    blur = value(.autoFocus) != 0 ? 0 : Double(value(.focus)) / 5000
    flipsHorizontally = value(.horizontalFlip) != 0
    flipsVertically = value(.verticalFlip) != 0
  }
}

/// Random numbers that are the same for the same seed everywhere (SplitMix64).
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
