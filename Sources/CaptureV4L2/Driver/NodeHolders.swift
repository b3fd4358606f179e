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

  init(of path: String) {
    self.path = path
    let files = FileManager.default
    let processes = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap(Int.init)
    holders = processes.sorted().compactMap { processID in
      guard processID != Int(getpid()) else { return nil }
      let folder = "/proc/\(processID)/fd"
      let descriptors = (try? files.contentsOfDirectory(atPath: folder)) ?? []
      let holds = descriptors.contains {
        (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
      }
      return holds ? Holder(processID: processID, name: Self.name(of: processID)) : nil
    }
  }

  /// Advice for a user who finds the camera busy.
  var remedy: String {
    guard !holders.isEmpty else {
      return "another program streams from it; find it with fuser -v \(path) and end it"
    }
    let names = holders.prefix(3).map(\.words)
    return "\(names.joined(separator: ", ")) \(names.count == 1 ? "has" : "have") it open; "
      + "end that program, or take another camera"
  }

  private static func name(of processID: Int) -> String {
    guard let data = FileManager.default.contents(atPath: "/proc/\(processID)/comm") else {
      return "a program"
    }
    return String(decoding: data, as: UTF8.self).filter { !$0.isNewline }
  }
}
