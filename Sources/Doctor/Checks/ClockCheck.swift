import CLinux
import OperatingSystem

/// Whether something keeps the wall clock right. Timestamps of several machines need it.
struct ClockCheck {
  let processes: [RunningProcess]
  /// Whether the kernel counts the clock as synchronized.
  var isSynchronized = CLinux_wallClockError() >= 0

  var finding: Finding {
    let daemon = processes.first { ClockKeepers.include($0.name) }
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
    guard ClockKeepers.computing.contains(daemon.name) else {
      return .warning(
        "clock", "\(daemon.words) keeps the wall clock right, without a bound of its error",
        remedy: "if the error matters, sudo apt install chrony, which computes one")
    }
    return .ok("clock", "\(daemon.words) keeps the wall clock right")
  }
}
