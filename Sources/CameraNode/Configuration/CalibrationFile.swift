import Capture
import Digest
import Foundation
import Imaging
import OperatingSystem
import Yams

/// A calibration as ROS's camera_calibration writes it (the message `sensor_msgs/CameraInfo` as
/// YAML).
enum CalibrationFile {
  private static let models = ["plumb_bob", "rational_polynomial", "equidistant"]
  private static let largestSide = 16_384
  /// As many as any model of OpenCV has.
  private static let mostCoefficients = 14

  /// - Throws: What is wrong with the file, and what to do about it.
  static func read(_ path: String) throws(ConfigurationError) -> Calibration {
    // A pipe may never say anything.
    if let status = try? FileStatus(at: path), !status.isFolder, !status.isRegularFile {
      throw mistake(path, "is no file: name the file that ROS's camera_calibration wrote")
    }
    return try parse(try ConfigurationText.read(path, as: "the calibration \(path)"), path: path)
  }

  static func parse(_ text: String, path: String) throws(ConfigurationError) -> Calibration {
    guard let root = try? Yams.compose(yaml: text), let file = root.mapping else {
      throw mistake(path, "is no calibration in YAML: write it with ROS's camera_calibration")
    }
    guard let width = file["image_width"]?.int, let height = file["image_height"]?.int,
      (1...largestSide).contains(width), (1...largestSide).contains(height)
    else { throw mistake(path, "has no image_width and image_height from 1 to \(largestSide)") }
    let matrix = try numbers("camera_matrix", counts: [9], in: file, path)
    guard matrix[0] > 0, matrix[4] > 0 else {
      throw mistake(path, "has a camera_matrix whose focal lengths are not above 0")
    }
    guard let model = file["distortion_model"]?.string, models.contains(model) else {
      throw mistake(
        path, "has no distortion_model that is known: \(models.joined(separator: ", "))")
    }
    return Calibration(
      id: unsafe String(SHA256.hash(of: Array(text.utf8).span.bytes).description.prefix(16)),
      size: ImageSize(width: width, height: height),
      cameraMatrix: matrix,
      distortionModel: model,
      distortion: try numbers(
        "distortion_coefficients", counts: 0...mostCoefficients, in: file, path),
      rectification: try optional("rectification_matrix", count: 9, in: file, path),
      projection: try optional("projection_matrix", count: 12, in: file, path)
    )
  }

  private static func optional(
    _ key: String, count: Int, in file: Yams.Node.Mapping, _ path: String
  ) throws(ConfigurationError) -> [Double] {
    file[key] == nil ? [] : try numbers(key, counts: [count], in: file, path)
  }

  private static func numbers(
    _ key: String, counts: some Collection<Int>, in file: Yams.Node.Mapping, _ path: String
  ) throws(ConfigurationError) -> [Double] {
    guard let data = file[key]?.mapping?["data"]?.sequence else {
      throw mistake(path, "has no \(key) with its numbers under data")
    }
    let numbers = data.compactMap(\.float)
    let sides = ["rows", "cols"].compactMap { file[key]?.mapping?[$0]?.int }
    guard numbers.count == data.count, numbers.allSatisfy(\.isFinite),
      counts.contains(numbers.count),
      sides.count < 2
        || sides.allSatisfy((0...numbers.count).contains)
          && sides[0] * sides[1] == numbers.count
    else {
      throw mistake(path, "has a wrong number of numbers in \(key), or one that is none")
    }
    return numbers
  }

  private static func mistake(_ path: String, _ sentence: String) -> ConfigurationError {
    ConfigurationError("the calibration \(path) \(sentence)")
  }
}
