import CameraClient
import OperatingSystem

/// Cameras in rows, and under them the problems of those that are in trouble.
enum CameraTable {
  /// - Parameter now: The node's time; nil if it is not known.
  static func print(_ cameras: [CameraStatus], at now: Timestamp? = nil) {
    var table = Table(
      "CAMERA",
      "STATE",
      "FOR",
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
        camera.stateWords.styled(camera.state.style),
        now?.age(of: camera.since) ?? "",
        camera.readiness.words.styled(camera.readiness.style),
        camera.format?.words ?? "",
        "\(camera.frames.delivered)",
        "\(camera.frames.lostByCamera)",
        "\(camera.frames.droppedByNode)",
        camera.recording.map { "\($0.frames.counted("frame")), \($0.bytes.byteWords)" } ?? ""
      )
    }
    table.print()
    printStandIns(cameras)
    for camera in cameras {
      if camera.frames.thinned > 0 {
        StandardOutput.write(
          line:
            "\(camera.name) has left out \(camera.frames.thinned.counted("frame")), to keep to its rate"
        )
      }
      if let own = camera.configuredInput, let device = camera.device {
        StandardOutput.write(
          line: "\(camera.name) has the input \(device.location) instead of \(own)")
      }
      for words in camera.settingWords {
        StandardOutput.write(line: "\(camera.name) \(words)")
      }
    }
    for camera in cameras {
      guard let trouble = TroubleWords(camera, at: now) else { continue }
      StandardOutput.write(line: "\(camera.name): \(trouble.cause)", style: .bad)
      StandardOutput.write(line: "\(camera.name): \(trouble.remedy)")
    }
  }

  /// Prints which cameras are simulated although real ones were wanted.
  static func printStandIns(_ cameras: [CameraStatus]) {
    for camera in cameras {
      guard let reason = camera.device?.standInReason else { continue }
      StandardOutput.write(line: "\(camera.name) is simulated: \(reason)")
    }
  }
}

extension CameraStatus {
  /// What somebody has chosen for the camera, beside its format.
  var settingWords: [String] {
    [
      lease.map { "is leased to \($0.holder)" },
      configuration.purposeWords,
      configuration.orientationWords,
      configuration.streamWords,
      subjectAreaThreshold.map { "tells when \($0.words(to: 3)) of its picture looks different" },
      idleAfterNanoseconds.map {
        "becomes idle when nobody has used it for \(Duration.nanoseconds(Int64(clamping: $0)).words)"
      },
    ].compactMap(\.self)
  }
}
