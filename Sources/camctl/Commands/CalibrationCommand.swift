import ArgumentParser
import CameraClient
import OperatingSystem

/// Prints a camera's calibration.
struct CalibrationCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibration",
    abstract: "Prints the calibration that the node is configured with for a camera.",
    discussion: """
      It is given to the node as a part of the camera's specification, in the form that ROS's camera_calibration writes:
        camerad --camera front=v4l2:/dev/video0,calibration=/etc/camerabus/front.yaml
      """
  )

  @OptionGroup var options: BusOptions

  func run(on bus: CameraBus) async throws {
    let calibration = try await options.chosenCamera(of: bus).calibration()
    if options.json { return JSONLine.print(calibration) }
    var table = Table("WHAT", "NUMBERS")
    table.add("id", calibration.id)
    table.add("size", "\(calibration.size)")
    for row in 0..<3 { table.add(row == 0 ? "camera matrix" : "", line(row, of: calibration)) }
    table.add(
      "distortion",
      "\(calibration.distortionModel) \(calibration.distortion.map(\.description).joined(separator: " "))"
    )
    table.print()
  }

  private func line(_ row: Int, of calibration: Calibration) -> String {
    calibration.cameraMatrix.dropFirst(3 * row).prefix(3).map(\.description).joined(separator: " ")
  }
}
