import CameraProtocol
import Capture
import Imaging
import MediaLibrary

extension PhotoFacts {
  /// What is known of a photo before there is a frame.
  @ControlLoop init(of camera: Camera, _ call: Call, _ epoch: Epoch) {
    self.init()
    model = camera.sessionStatus.device.model
    self.camera = camera.name
    software = "CameraBus \(Release.version)"
    timing.epoch = epoch.bytes
    uniqueID = call.id.bytes
    requestID = "\(call.id)"
    position = camera.options.place
    focalLength = camera.options.lens?.focalLength
    fNumber = camera.options.lens?.fNumber
    if let calibration = camera.options.mounting.calibration {
      calibrationID = calibration.id
      let matrix = calibration.cameraMatrix
      view = AngleOfView(size: calibration.size, horizontal: matrix[0], vertical: matrix[4])
    }
  }

  mutating func add(_ labels: AssetLabels) {
    description = labels.name.isEmpty ? nil : labels.name
    keywords = labels.tags.isEmpty ? nil : labels.tags
  }
}
