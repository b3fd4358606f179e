package import CameraProtocol

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
        isEnabled: settings.hasEnabled ? settings.enabled : nil)
    }
  }
}
