import Glibc

extension ClockKeepers {
  /// The programs that might keep the clock, as far as /proc shows them to this process, in the
  /// order of their ids.
  ///
  /// - Parameter root: Stands in front of /proc. Tests have a small copy of it there.
  package static func running(root: String = "") -> [Program] {
    let ids = ((try? Folder.names(in: "\(root)/proc")) ?? []).compactMap { Int($0) }.sorted()
    return ids.compactMap { id in
      guard let line = text("\(root)/proc/\(id)/comm"),
        let name = line.split(separator: "\n").first.map(String.init), include(name)
      else { return nil }
      let words = text("\(root)/proc/\(id)/cmdline")?.split(separator: "\0").map(String.init)
      return Program(id: id, name: name, words: words ?? [])
    }
  }

  /// The text of a file of /proc, which has no size to ask for; nil if it cannot be read.
  private static func text(_ path: String) -> String? {
    guard let file = try? FileDescriptor(path, O_RDONLY | O_NONBLOCK, followsLinks: true),
      let bytes = try? file.read(at: 0, count: 1 << 16)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
