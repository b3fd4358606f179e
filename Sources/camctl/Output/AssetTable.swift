import CameraClient
import Words

/// The table of `camctl assets`.
enum AssetTable {
  static func print(_ assets: some Sequence<Asset>) {
    var table = Table(
      "ASSET", "CAMERA", "CREATED", "SIZE", "FRAMES", "DURATION", "BYTES", "NOTES", "PATH")
    for asset in assets {
      table.add(
        asset.id.short,
        asset.camera,
        asset.created.words,
        "\(asset.size)",
        asset.frames.map { "\($0)" } ?? "",
        asset.duration?.words ?? "",
        asset.byteCount.byteWords,
        asset.notes,
        asset.path
      )
    }
    table.print()
  }
}

extension Asset {
  /// "'At the gate', #night #rain, missing, protected": what is not as with most assets.
  fileprivate var notes: String {
    let notes = [
      name.isEmpty ? nil : "'\(name)'",
      tags.isEmpty ? nil : tags.map { "#\($0)" }.joined(separator: " "),
      part?.rawValue,
      condition == .intact ? nil : condition.rawValue,
      isProtected ? "protected" : nil,
      isRecovered ? "recovered" : nil,
      deferral.map { "proxy\($0.words)" },
      replaces.map { "replaces \($0.short)" },
    ]
    return notes.compactMap(\.self).joined(separator: ", ")
  }
}

extension Deferral {
  /// ", final to come".
  fileprivate var words: String {
    switch self {
    case .pending: ", final to come"
    case .done: ", replaced"
    case .failed: ", final failed"
    default: ""
    }
  }
}
