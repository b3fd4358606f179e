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

extension RememberedChanges {
  package init(_ wire: WireRemembered) {
    self.init(
      device: wire.hasDevice ? Device(wire.device) : nil,
      format: wire.hasFormat ? Format(wire.format) : nil,
      preview: wire.hasPreview ? Orientation(wire.preview) : nil,
      capture: wire.hasCapture ? Orientation(wire.capture) : nil,
      streams: [StreamSettings](wire.streams, rate: { $0.isFinite && $0 >= 0 ? $0 : nil }),
      controls: wire.settings.compactMap { setting in
        ControlValue(setting.value).map { Setting(id: setting.id, value: $0) }
      },
      subjectArea: wire.hasSubjectArea && wire.subjectArea.isFinite ? wire.subjectArea : nil,
      livePhotos: wire.hasLivePhotos ? LivePhotoSettings(wire.livePhotos) : nil,
      problem: wire.problem.isEmpty ? nil : wire.problem)
  }
}

extension RememberedChanges.Format {
  fileprivate init(_ wire: WireRemembered.Format) {
    self.init(
      mode: CaptureMode(wire.mode), preset: SessionPreset(wire.preset),
      pixelFormat: wire.pixelFormat.isEmpty ? nil : wire.pixelFormat,
      size: wire.hasSize ? FrameSize(wire.size) : nil, frameRate: wire.frameRate.asRate,
      minimumRate: wire.minimumRate.asRate, maximumRate: wire.maximumRate.asRate)
  }
}

extension [StreamSettings] {
  /// - Parameter rate: The rate that a number stands for; nil for none.
  init(_ wires: [WireStreamSettings], rate: (Double) -> Double?) {
    self = wires.compactMap { settings in
      // A newer node may have streams that this client does not know.
      guard let stream = FrameStream(settings.stream) else { return nil }
      return StreamSettings(
        stream, maximumRate: settings.hasMaximumRate ? rate(settings.maximumRate) : nil,
        quality: settings.hasQuality ? Int(settings.quality) : nil,
        isEnabled: settings.hasEnabled ? settings.enabled : nil,
        bitRate: settings.hasBitRate ? settings.bitRate : nil,
        keyInterval: settings.hasKeyIntervalNs ? .nanoseconds(settings.keyIntervalNs) : nil,
        bound: settings.hasBound ? FrameSize(settings.bound) : nil)
    }
  }
}
