import Foundation

/// The programs that keep the wall clock right.
enum ClockKeepers {
  /// A running program: its name, of which the kernel keeps 15 bytes, and its command line.
  struct Program: Hashable {
    var name: String
    var title: String
  }

  private static let computing: Set<String> = ["chronyd", "ntpd"]
  /// systemd-timesyncd and linuxptp. They write zero as the bound, or leave the bound to others.
  private static let writingZero: Set<String> = ["systemd-timesyn", "phc2sys", "ptp4l"]

  /// Whether the kernel's bound of the clock's error is computed: chronyd or ntpd runs, and no
  /// program that might have written zero instead.
  static func compute(_ programs: some Sequence<Program>) -> Bool {
    var isComputed = false
    for program in programs {
      if writingZero.contains(program.name) { return false }
      guard computing.contains(program.name) else { continue }
      // OpenNTPD has the name of the other ntpd and writes zero. The titles of its processes tell
      // them apart: "ntpd: ntp engine".
      if program.title.hasPrefix("ntpd: ") { return false }
      isComputed = true
    }
    return isComputed
  }

  /// The programs that might keep the clock, as far as /proc shows them to this process.
  static func running() -> [Program] {
    let files = FileManager.default
    func text(_ path: String) -> String? {
      files.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
    return ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { id in
      guard Int(id) != nil, let line = text("/proc/\(id)/comm") else { return nil }
      let name = String(line.prefix { $0 != "\n" })
      guard computing.contains(name) || writingZero.contains(name) else { return nil }
      return Program(name: name, title: text("/proc/\(id)/cmdline") ?? "")
    }
  }
}
