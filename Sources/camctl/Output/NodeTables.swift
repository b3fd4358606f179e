import CameraClient
import OperatingSystem
import Words

/// The status of many nodes and their cameras, in rows.
enum NodeTables {
  /// A node, and how it is or why that is not known.
  struct Entry {
    var name: String
    var status: Result<NodeStatus, CameraBusError>
  }

  static func print(_ entries: [Entry]) {
    printNodes(entries)
    StandardOutput.write(line: "")
    printCameras(entries)
    for entry in entries {
      switch entry.status {
      case .success(let node): printTroubles(of: node, called: entry.name)
      case .failure(let error):
        StandardOutput.write(line: "\(entry.name): \(error.message)", style: .bad)
      }
    }
  }

  private static func printNodes(_ entries: [Entry]) {
    var table = Table("NODE", "NAME", "VERSION", "UP", "CAMERAS", "LIBRARY", "PRESSURE")
    for entry in entries {
      switch entry.status {
      case .success(let node):
        table.add(
          entry.name, node.name, node.version, node.now.age(of: node.started),
          "\(node.cameras.count)", node.library.words,
          node.pressure.map { $0.level.rawValue.styled($0.level.style) } ?? "".styled(.plain))
      case .failure(let error):
        table.add(entry.name, error.code.rawValue.styled(.bad), "", "", "", "", "")
      }
    }
    table.print()
  }

  private static func printCameras(_ entries: [Entry]) {
    var table = Table(
      "NODE", "CAMERA", "STATE", "FOR", "READINESS", "FORMAT", "FRAMES", "LOST", "DROPPED",
      "RECORDING")
    for entry in entries {
      guard case .success(let node) = entry.status else { continue }
      for camera in node.cameras {
        table.add(
          entry.name, camera.name, camera.stateWords.styled(camera.state.style),
          node.now.age(of: camera.since),
          camera.readiness.words.styled(camera.readiness.style),
          camera.format?.words ?? "", "\(camera.frames.delivered)",
          "\(camera.frames.lostByCamera)", "\(camera.frames.droppedByNode)",
          camera.recording.map(\.words) ?? "")
      }
    }
    table.print()
  }

  private static func printTroubles(of node: NodeStatus, called name: String) {
    for camera in node.cameras {
      guard let trouble = TroubleWords(camera, at: node.now) else { continue }
      StandardOutput.write(line: "\(name) \(camera.name): \(trouble.cause)", style: .bad)
      StandardOutput.write(line: "\(name) \(camera.name): \(trouble.remedy)")
    }
  }
}
