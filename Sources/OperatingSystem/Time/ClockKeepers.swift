/// The programs that keep the wall clock right.
package enum ClockKeepers {
  /// A running program.
  package struct Program: Hashable, Sendable {
    package var id: Int
    /// The kernel keeps 15 bytes of it.
    package var name: String
    /// Its command line, or the title that it has given itself.
    package var words: [String]

    package init(id: Int, name: String, words: [String]) {
      self.id = id
      self.name = name
      self.words = words
    }

    /// Whether it leaves zero as the kernel's bound of the clock's error.
    package var writesZero: Bool {
      // OpenNTPD has the name of the other ntpd. The titles of its processes tell them apart:
      // "ntpd: ntp engine".
      writingZero.contains(name) || name == "ntpd" && words.first?.hasPrefix("ntpd: ") == true
    }

    /// Whether it computes the kernel's bound of the clock's error.
    package var computes: Bool { source != nil }

    fileprivate var source: WallClockError.Source? {
      writesZero || leavesTheClockAlone ? nil : computing[name]
    }

    /// Whether it is a chronyd with the option -x, as in containers: it only observes the clock,
    /// which another program keeps, perhaps outside of the container.
    private var leavesTheClockAlone: Bool {
      name == "chronyd" && words.dropFirst().contains { Self.flags(in: $0).contains("x") }
    }

    /// The letters of a word of options such as -dx. A letter that takes a value is followed by it.
    private static func flags(in word: String) -> Substring {
      word.hasPrefix("-") ? word.dropFirst().prefix { !"fFlLPtu".contains($0) } : ""
    }
  }

  private static let computing: [String: WallClockError.Source] = [
    "chronyd": .chronyd, "ntpd": .ntpd,
  ]
  /// systemd-timesyncd and linuxptp. They write zero as the bound, or leave the bound to others.
  private static let writingZero: Set<String> = ["systemd-timesyn", "phc2sys", "ptp4l"]

  /// Whether a program of this name may keep the clock.
  static func include(_ name: String) -> Bool {
    computing[name] != nil || writingZero.contains(name)
  }

  /// The program that computes the kernel's bound of the clock's error; nil if one runs that might
  /// have written zero instead.
  package static func source(_ programs: some Sequence<Program>) -> WallClockError.Source? {
    var found: WallClockError.Source?
    for program in programs {
      if program.writesZero { return nil }
      found = found ?? program.source
    }
    return found
  }
}

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
