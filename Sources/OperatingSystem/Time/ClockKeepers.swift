/// The programs that keep the wall clock right.
package enum ClockKeepers {
  /// A running program: its name, of which the kernel keeps 15 bytes, and its command line.
  package struct Program: Hashable {
    package var name: String
    package var title: String

    package init(name: String, title: String) {
      self.name = name
      self.title = title
    }
  }

  /// They compute a bound of the clock's error.
  package static let computing: Set<String> = ["chronyd", "ntpd"]
  /// systemd-timesyncd and linuxptp. They write zero as the bound, or leave the bound to others.
  package static let writingZero: Set<String> = ["systemd-timesyn", "phc2sys", "ptp4l"]

  /// Whether a program of this name may keep the clock.
  package static func include(_ name: String) -> Bool {
    computing.contains(name) || writingZero.contains(name)
  }

  /// Whether the kernel's bound of the clock's error is computed: chronyd or ntpd runs, and no
  /// program that might have written zero instead.
  package static func compute(_ programs: some Sequence<Program>) -> Bool {
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
}
