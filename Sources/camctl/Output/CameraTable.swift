import CameraClient

/// Cameras in rows, and under them what is wrong with some.
enum CameraTable {
  static func print(_ cameras: [CameraStatus]) {
    var table = Table(
      "CAMERA",
      "STATE",
      "READINESS",
      "FORMAT",
      "FRAMES",
      "LOST",
      "DROPPED",
      "RECORDING"
    )
    for camera in cameras {
      table.add(
        camera.name,
        camera.interruption.map { "interrupted (\($0.rawValue))" } ?? camera.state.rawValue,
        camera.readiness.rawValue,
        camera.format?.words ?? "",
        "\(camera.frames.delivered)",
        "\(camera.frames.lostByCamera)",
        "\(camera.frames.droppedByNode)",
        camera.recording.map { "\($0.frames) frames, \($0.bytes.byteWords)" } ?? ""
      )
    }
    table.print()
    for camera in cameras {
      guard let error = camera.error else { continue }
      StandardOutput.write(line: "\(camera.name): \(error.message)")
    }
  }
}
