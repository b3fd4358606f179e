import CameraProtocol
import OperatingSystem
import SwiftProtobuf

/// What one picture of a bracket is taken with. What it does not change is as it was before the
/// bracket.
///
/// More cases may come, so a switch needs an `@unknown default`.
@nonexhaustive
public enum BracketShot: Hashable, Sendable {
  /// Exposure values, by which the picture is brighter than it would have been: -16 to 16.
  case ev(Double)
  /// How long each pixel is exposed: up to an hour.
  case exposure(Duration)
  /// Controls, with the values that they are set to, in this order.
  case settings([ControlSetting])
}

/// A control and its value.
public struct ControlSetting: Hashable, Sendable, Codable {
  /// The control's name.
  public var id: String
  /// Its value.
  public var value: ControlValue

  /// A setting.
  public init(_ id: String, to value: ControlValue) {
    self.id = id
    self.value = value
  }
}

/// What a picture of a bracket was taken with, and how that is known.
public struct ResolvedShot: Hashable, Sendable, Codable {
  /// Which of the shots it is, from 1.
  public var index: Int
  /// How many shots there are.
  public var count: Int
  /// The controls that the shot changes, with the values that took effect. Of
  /// ``BracketShot/ev(_:)`` and ``BracketShot/exposure(_:)`` it is `exposure.duration` or
  /// `exposure.bias`.
  public var settings: [ControlSetting]
  /// How it is known that the frame has them.
  public var evidence: ControlEffect.Basis
}

extension BracketShot {
  var wire: WireCaptureRequest.Shot {
    .with { wire in
      switch self {
      case .ev(let step): wire.ev = step
      case .exposure(let time): wire.exposureNs = UInt64(max(0, time.wholeNanoseconds))
      case .settings(let settings):
        wire.settings = .with {
          $0.settings = settings.map { setting in
            .with {
              $0.id = setting.id
              $0.value = setting.value.wire
            }
          }
        }
      }
    }
  }
}

extension ResolvedShot {
  init(_ wire: WireResolvedShot) {
    self.init(
      index: Int(wire.index),
      count: Int(wire.count),
      settings: wire.settings.compactMap { setting in
        ControlValue(setting.value).map { ControlSetting(setting.id, to: $0) }
      },
      evidence: ControlEffect.Basis(wire.evidence))
  }
}
