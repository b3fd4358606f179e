/// A process as `/proc` shows it.
struct RunningProcess: Sendable {
  let id: Int
  let name: String
  /// What its descriptors lead to, as far as this user may see it.
  let openFiles: Set<String>

  var words: String { "\(name) (process \(id))" }
}

extension Machine {
  /// All processes, in the order of their ids.
  func processes() -> [RunningProcess] {
    names(in: "/proc").compactMap { Int($0) }.sorted().compactMap { id in
      guard let name = text(of: "/proc/\(id)/comm") else { return nil }
      let descriptors = "/proc/\(id)/fd"
      return RunningProcess(
        id: id, name: name.split(separator: "\n").first.map(String.init) ?? "",
        openFiles: Set(names(in: descriptors).compactMap { target(ofLink: "\(descriptors)/\($0)") })
      )
    }
  }
}
