import ArgumentParser
import CameraClient

/// How much is done for the look of photos: `--balanced-priority`, `--quality-priority`.
enum PriorityFlag: String, EnumerableFlag {
  case speed, balanced, quality

  var prioritization: PhotoPrioritization {
    switch self {
    case .speed: .speed
    case .balanced: .balanced
    case .quality: .quality
    }
  }

  static func name(for value: Self) -> NameSpecification {
    .customLong("\(value.rawValue)-priority")
  }

  static func help(for value: Self) -> ArgumentHelp? {
    switch value {
    case .speed: "Take the frame of the moment (the default)."
    case .balanced: "Take the sharpest of three frames."
    case .quality: "Merge up to four frames, for less noise."
    }
  }
}
