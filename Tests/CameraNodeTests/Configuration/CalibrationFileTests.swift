import Capture
import Imaging
import TestSupport
import Testing

@testable import CameraNode

struct CalibrationFileTests {
  /// As ROS's camera_calibration writes it.
  private static let text = """
    image_width: 640
    image_height: 480
    camera_name: narrow_stereo
    camera_matrix:
      rows: 3
      cols: 3
      data: [500.5, 0., 320., 0., 501., 240., 0., 0., 1.]
    distortion_model: plumb_bob
    distortion_coefficients:
      rows: 1
      cols: 5
      data: [0.1, -0.2, 0, 1e-3, 0]
    rectification_matrix:
      rows: 3
      cols: 3
      data: [1, 0, 0, 0, 1, 0, 0, 0, 1]
    projection_matrix:
      rows: 3
      cols: 4
      data: [500, 0, 320, 0, 0, 501, 240, 0, 0, 0, 1, 0]
    """

  @Test func `A calibration is read, and its id changes with every byte`() throws {
    let calibration = try CalibrationFile.parse(Self.text, path: "front.yaml")
    #expect(calibration.size == ImageSize(width: 640, height: 480))
    #expect(calibration.cameraMatrix == [500.5, 0, 320, 0, 501, 240, 0, 0, 1])
    #expect(calibration.distortionModel == "plumb_bob")
    #expect(calibration.distortion == [0.1, -0.2, 0, 0.001, 0])
    #expect(calibration.projection.count == 12)
    let other = try CalibrationFile.parse(Self.text + "\n", path: "front.yaml")
    #expect(other.id != calibration.id)
    #expect(other.id.count == 16)
  }

  @Test(
    arguments: [
      ("image_width: 640", "image_width: 0"), ("image_height: 480", ""),
      ("500.5, 0., ", "0., "), ("500.5", ".nan"), ("500.5", "-3"), ("500.5", "wide"),
      ("distortion_model: plumb_bob", "distortion_model: \"\""),
      ("1e-3", "[1]"), ("[500, 0, 320, 0, ", "["), ("cols: 5", "cols: 2"),
      ("rows: 3", "rows: 9223372036854775807"), ("rows: 1\n", "rows: -1\n"),
    ])
  func `What is wrong in a calibration is said`(part: String, wrong: String) {
    let text = Self.text.replacing(part, with: wrong)
    #expect(text != Self.text)
    let error = #expect(throws: ConfigurationError.self) {
      try CalibrationFile.parse(text, path: "front.yaml")
    }
    #expect(error?.description.contains("front.yaml") == true)
  }

  @Test func `A camera's specification names the file`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.text, to: "front.yaml")
    let camera = try CameraConfiguration(
      argument: "front=synthetic:,calibration=\(folder.path)/front.yaml,position=front")
    #expect(camera.options.mounting.calibration?.cameraMatrix.first == 500.5)
    #expect(throws: ConfigurationError.self) {
      try CameraConfiguration(argument: "front=synthetic:,calibration=\(folder.path)/none.yaml")
    }
  }
}
