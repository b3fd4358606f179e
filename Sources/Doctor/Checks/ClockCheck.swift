import CLinux

/// Whether something keeps the wall clock right. Timestamps of several machines need it.
struct ClockCheck {
  /// Programs that keep the clock, and whether they compute a bound of its error. The kernel cuts
  /// names off after 15 characters.
  private static let daemons = [
    "chronyd": true, "ntpd": true, "systemd-timesyn": false, "phc2sys": false, "ptp4l": false,
  ]

  let processes: [RunningProcess]
  /// Whether the kernel counts the clock as synchronized.
  var isSynchronized = CLinux_wallClockError() >= 0

  var finding: Finding {
    let daemon = processes.first { Self.daemons[$0.name] != nil }
    guard let daemon else {
      return isSynchronized
        ? .ok("clock", "the kernel counts the wall clock as synchronized")
        : .warning(
          "clock", "nothing keeps the wall clock right", remedy: "sudo apt install chrony")
    }
    guard isSynchronized else {
      return .warning(
        "clock", "\(daemon.words) runs, and the wall clock is not synchronized yet",
        remedy: "wait, or look at its servers: chronyc sources, timedatectl timesync-status")
    }
    guard Self.daemons[daemon.name] == true else {
      return .warning(
        "clock", "\(daemon.words) keeps the wall clock right, without a bound of its error",
        remedy: "if the error matters, sudo apt install chrony, which computes one")
    }
    return .ok("clock", "\(daemon.words) keeps the wall clock right")
  }
}
