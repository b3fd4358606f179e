import CameraProtocol
import Capture
import Imaging
import MediaLibrary
import OperatingSystem
import SwiftProtobuf
import Words

extension WireCapabilities {
  /// - Parameter options: What the operator says of the camera.
  init(_ capabilities: CameraCapabilities, _ options: CameraOptions, wallClock: WallClockSample) {
    self.init()
    formats = capabilities.formats.map(WireFormat.init)
    presets = capabilities.presets.map { preset in
      .with {
        $0.preset = WirePreset(preset.preset)
        $0.format = WireFormat(preset.format)
      }
    }
    controls = capabilities.controls.map { WireControl(ControlState(control: $0, value: nil)) }
    if let format = capabilities.format { self.format = WireStreamFormat(format) }
    pictures = capabilities.files(switches: options.switchesForStills).map { file in
      .with {
        $0.mediaType = file.format.mediaType.rawValue
        $0.size = WireSize(file.size)
        $0.passthrough = file.isPassthrough
        $0.switchesFormat = file.switchesFormat
      }
    }
    if let ring = capabilities.ring {
      self.ring = .with {
        $0.frames = UInt32(clamping: ring.frames)
        $0.durationNs = ring.duration
      }
    }
    limits = .with {
      $0.waitingPhotos = UInt32(PhotoOutput.maximumWaiting)
      $0.encodedPhotos = UInt32(PhotoOutput.maximumProcessing)
      $0.settings = UInt32(WireLimits.settings)
      $0.inlineBytes = UInt32(WireLimits.inlineByteCount)
      $0.burstPictures = WireLimits.burstPictures
      $0.deferredPhotos = UInt32(DeferredPlaces.limit)
      $0.deferredBytes = UInt64(DeferredPlaces.byteLimit)
    }
    if let marks = capabilities.marks { timestampMark = WireTimestampMark(marks) }
    wallErrorNs = wallClock.error == .max ? 0 : wallClock.error
    saysFacts = capabilities.saysFacts
    flash = capabilities.hasFlash
    torch = capabilities.hasTorch
    depth = capabilities.hasDepth
    depthCamera = options.depthCamera ?? ""
    pointsOfInterest = capabilities.hasPointsOfInterest
    deviceTime = capabilities.saysDeviceTime
  }
}

extension WireCalibration {
  init(_ calibration: Calibration) {
    self.init()
    id = calibration.id
    size = WireSize(calibration.size)
    cameraMatrix = calibration.cameraMatrix
    distortionModel = calibration.distortionModel
    distortion = calibration.distortion
    rectification = calibration.rectification
    projection = calibration.projection
  }
}
