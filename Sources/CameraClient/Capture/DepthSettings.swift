import CameraProtocol
import SwiftProtobuf

/// What is made of the depth camera's frame that goes with a photo. Without arguments it is a map
/// of the distances.
public struct DepthSettings: Hashable, Sendable {
  /// The distances that a second file shows, in metres: from 0 to 65.535; nil makes none.
  public var matte: ClosedRange<Double>?

  /// Settings.
  public init(matte: ClosedRange<Double>? = nil) {
    self.matte = matte
  }
}

extension DepthSettings {
  /// - Throws: `invalidArgument`.
  func wire() throws(CameraBusError) -> WireCaptureRequest.Depth {
    var wire = WireCaptureRequest.Depth()
    guard let matte else { return wire }
    let limits = WireLimits.distances
    guard limits.contains(matte.lowerBound), limits.contains(matte.upperBound),
      matte.lowerBound < matte.upperBound
    else {
      throw Arguments.refusal(
        "a matte is of distances from \(limits.lowerBound) to \(limits.upperBound) metres, not \(matte)",
        "matte")
    }
    wire.matte.nearM = matte.lowerBound
    wire.matte.farM = matte.upperBound
    return wire
  }

  /// How many files are made of each frame.
  var fileCount: Int { matte == nil ? 1 : 2 }
}
