package import CameraProtocol
import OperatingSystem
import SwiftProtobuf

// How the wire's messages become the values that users see: what a camera can do.

extension Capabilities {
  package init(_ wire: WireCapabilities) {
    self.init(
      formats: wire.formats.map(CameraFormat.init),
      presets: wire.presets.map { preset in
        Preset(preset: SessionPreset(preset.preset), format: CameraFormat(preset.format))
      },
      format: wire.hasFormat ? StreamFormat(wire.format) : nil,
      pictures: wire.pictures.map {
        Picture(
          mediaType: $0.mediaType, size: FrameSize($0.size), isPassthrough: $0.passthrough,
          switchesFormat: $0.switchesFormat)
      },
      controls: wire.controls.map(Control.init),
      ring: wire.hasRing
        ? Ring(frames: Int(wire.ring.frames), duration: .nanoseconds(wire.ring.durationNs)) : nil,
      limits: Limits(
        waitingPhotos: Int(wire.limits.waitingPhotos),
        encodedPhotos: Int(wire.limits.encodedPhotos),
        settings: Int(wire.limits.settings),
        inlineByteCount: Int(wire.limits.inlineBytes),
        burstPictures: Int(wire.limits.burstPictures),
        deferredPhotos: Int(wire.limits.deferredPhotos),
        deferredByteCount: wire.limits.deferredBytes),
      timestampMark: TimestampMark(wire.timestampMark),
      wallError: .unlessZero(wire.wallErrorNs),
      saysFacts: wire.saysFacts,
      hasFlash: wire.flash,
      hasTorch: wire.torch,
      hasDepth: wire.depth,
      depthCamera: wire.depthCamera.isEmpty ? nil : wire.depthCamera,
      hasPointsOfInterest: wire.pointsOfInterest,
      saysDeviceTime: wire.deviceTime
    )
  }
}

extension Calibration {
  package init(_ wire: WireCalibration) {
    self.init(
      id: wire.id, size: FrameSize(wire.size), cameraMatrix: wire.cameraMatrix,
      distortionModel: wire.distortionModel, distortion: wire.distortion,
      rectification: wire.rectification, projection: wire.projection)
  }
}

extension ControlEffect {
  package init(_ wire: WireControlEffect) {
    guard !wire.notSettled else {
      self = .notSettled(frames: Int(wire.frames))
      return
    }
    self = .frame(wire.effectiveFrame, Timestamp(wire.timestamp), Basis(wire.basis))
  }
}

extension DeviceTime {
  package init(_ wire: WireDeviceTime) {
    self.init(
      ticks: wire.ticks, monotonic: MonotonicInstant(nanoseconds: wire.monotonicNs),
      error: .nanoseconds(wire.errorNs), basis: Basis(wire.basis))
  }

  init(_ header: PublicationHeader.DeviceTime) {
    self.init(
      ticks: header.ticks, monotonic: MonotonicInstant(nanoseconds: header.monotonic),
      error: .nanoseconds(header.error),
      basis: Basis(WireDeviceTime.Basis(rawValue: Int(header.basis)) ?? .unspecified))
  }
}

extension FrameFacts {
  package init(_ wire: WireFrameFacts) {
    self.init(
      gain: wire.hasGain ? wire.gain : nil, focus: wire.hasFocus ? wire.focus : nil,
      kelvin: wire.hasKelvin ? wire.kelvin : nil, zoom: wire.hasZoom ? wire.zoom : nil,
      colorRange: ColorRange(wire.colorRange), colorMatrix: ColorMatrix(wire.colorMatrix),
      isLitByFlash: wire.hasFlash ? wire.flash : nil)
  }

  init(_ header: PublicationHeader.Facts) {
    self.init(
      gain: header.gain, focus: header.focus, kelvin: header.kelvin, zoom: header.zoom,
      colorRange: WireColorRange(rawValue: Int(header.colorRange)).flatMap(ColorRange.init),
      colorMatrix: WireColorMatrix(rawValue: Int(header.colorMatrix)).flatMap(ColorMatrix.init),
      isLitByFlash: header.flash)
  }
}
