import FoundationEssentials
import Glibc

/// The other programs that have a device node open, as far as /proc shows them to this process.
struct NodeHolders {
  struct Holder: Hashable {
    let processID: Int
    let name: String

    var words: String { "\(name) (process \(processID))" }
  }

  let path: String
  let holders: [Holder]
  /// Whether some programs do not show this process their open files: those of other users, and
  /// all where /proc hides processes.
  let isIncomplete: Bool

  /// - Parameter proc: The folder of the processes.
  init(of path: String, in proc: String = "/proc") {
    self.path = path
    let files = FileManager.default
    let processes = ((try? files.contentsOfDirectory(atPath: proc)) ?? []).compactMap(Int.init)
    // Process 1 always exists.
    isIncomplete =
      !processes.contains(1)
      || processes.map { "\(proc)/\($0)/fd" }.contains {
        files.fileExists(atPath: $0) && !files.isReadableFile(atPath: $0)
      }
    holders = processes.sorted().compactMap { processID in
      guard processID != Int(getpid()) else { return nil }
      let folder = "\(proc)/\(processID)/fd"
      let descriptors = (try? files.contentsOfDirectory(atPath: folder)) ?? []
      let holds = descriptors.contains {
        (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
      }
      return holds ? Holder(processID: processID, name: Self.name(of: processID, in: proc)) : nil
    }
  }

  /// Advice for a user who finds the camera busy.
  var remedy: String {
    guard !holders.isEmpty else {
      return isIncomplete
        ? "a program of another user streams from it, which the node cannot see; find it with "
          + "sudo fuser -v \(path) and end it"
        : "another program streams from it; find it with fuser -v \(path) and end it"
    }
    let names = holders.prefix(3).map(\.words)
    return "\(names.joined(separator: ", ")) \(names.count == 1 ? "has" : "have") it open; "
      + "end that program, or take another camera"
  }

  private static func name(of processID: Int, in proc: String) -> String {
    guard let data = FileManager.default.contents(atPath: "\(proc)/\(processID)/comm") else {
      return "a program"
    }
    return String(decoding: data, as: UTF8.self).filter { !$0.isNewline }
  }
}
