extension ClockKeepers {
  /// The programs that might keep the clock, as far as /proc shows them to this process, in the
  /// order of their ids.
  ///
  /// - Parameter root: Stands in front of /proc. Tests have a small copy of it there.
  package static func running(root: String = "") -> [Program] {
    let ids = ((try? Folder.names(in: "\(root)/proc")) ?? []).compactMap { Int($0) }.sorted()
    return ids.compactMap { id in
      guard let name = SystemFile.word("\(root)/proc/\(id)/comm").map(String.init), include(name)
      else { return nil }
      let words = SystemFile.text("\(root)/proc/\(id)/cmdline")?.split(separator: "\0").map(
        String.init)
      return Program(id: id, name: name, words: words ?? [])
    }
  }
}
