import CameraClient
import Words

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
        camera.recording.map(\.words) ?? ""
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
      if let interruption = camera.recording?.sound?.interruption {
        StandardOutput.write(
          line: "\(camera.name)'s movie is silent: \(interruption)", style: .bad)
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
      for words in camera.refusalWords {
        StandardOutput.write(line: "\(camera.name) \(words)", style: .bad)
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
      livePhotos?.words,
      idleAfter.map { "becomes idle when nobody has used it for \($0.words)" },
      remembered?.words,
    ].compactMap(\.self)
  }
}

extension LivePhotoStatus {
  /// "takes live photos of 1.5 s before and 1.5 s after, with sound; 2 in progress".
  fileprivate var words: String {
    "takes live photos of \(settings.before.words) before and \(settings.after.words) after"
      + (settings.hasSound ? ", with sound" : "")
      + (inProgress > 0 ? "; \(inProgress) in progress" : "")
  }
}

extension CameraStatus {
  /// What the camera did not take, and what its node could not keep.
  var refusalWords: [String] {
    refusals.map { "did not take \($0.setting): \($0.reason)" }
      + [remembered?.problem.map { "remembers not all: \($0)" }].compactMap(\.self)
  }
}

extension RememberedChanges {
  /// "remembers 1280x720 MJPG, brightness=10, how preview is sent"; nil for no change.
  fileprivate var words: String? {
    var parts: [String] = []
    if let format {
      let rate = (format.maximumRate ?? format.frameRate).map { "@\($0.words(to: 3))" } ?? ""
      parts.append(
        [
          format.preset == .inputPriority ? nil : format.preset.rawValue,
          format.size.map { "\($0)\(rate)" } ?? (rate.isEmpty ? nil : rate), format.pixelFormat,
        ].compactMap(\.self).joined(separator: " "))
    }
    parts += controls.map { "\($0.id)=\($0.value)" }
    if let capture { parts.append("photos at \(capture)") }
    if let preview { parts.append("streams at \(preview)") }
    parts += streams.map { "how \($0.stream) is sent" }
    if subjectArea != nil { parts.append("the subject area") }
    if livePhotos != nil { parts.append("live photos") }
    parts.removeAll(where: \.isEmpty)
    return parts.isEmpty ? nil : "remembers \(parts.joined(separator: ", "))"
  }
}
