package import CameraProtocol
import SwiftProtobuf

extension Orientation {
  init(_ wire: WireOrientation) {
    self.init(rotation: Int(wire.rotation), isMirrored: wire.mirrored)
  }

  init(_ header: PublicationHeader.Orientation) {
    self.init(rotation: Int(header.rotation), isMirrored: header.isMirrored)
  }
}

extension WireConfigureRequest.Turn {
  /// - Throws: `invalidArgument` for a rotation that is no number of quarter turns.
  package init(_ turn: Turn, _ argument: String) throws(CameraBusError) {
    self.init()
    if let rotation = turn.rotation {
      guard let degrees = UInt32(exactly: rotation), WireLimits.rotations.contains(degrees) else {
        throw Arguments.refusal("a rotation is 0, 90, 180 or 270 degrees clockwise", argument)
      }
      self.rotation = degrees
    }
    if let isMirrored = turn.isMirrored { mirrored = isMirrored }
  }
}

extension CameraConfiguration {
  init(_ wire: WireConfiguration) {
    self.init(
      mode: CaptureMode(wire.mode),
      preset: SessionPreset(wire.preset),
      preview: Orientation(wire.preview),
      capture: Orientation(wire.capture),
      minimumRate: wire.minimumRate.asRate,
      maximumRate: wire.maximumRate.asRate,
      streams: [StreamSettings](wire.streams, rate: \.asRate))
  }
}

extension Double {
  /// A rate; nil for one that was not said, or that no camera has.
  var asRate: Double? { self > 0 && isFinite ? self : nil }
}
