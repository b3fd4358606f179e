import CLinux
import OperatingSystem

/// Whether something keeps the wall clock right. Timestamps of several machines need it.
struct ClockCheck {
  let keepers: [ClockKeepers.Program]
  /// The kernel's bound of the clock's error in microseconds; negative while the clock is not
  /// synchronized.
  var bound = CLinux_wallClockError()
  /// Whether the node on this machine knows a bound; nil without such a node.
  var nodeKnowsBound: Bool?

  var finding: Finding {
    let spoiler = keepers.first(where: \.writesZero)
    guard let keeper = spoiler ?? keepers.first(where: \.computes) else {
      guard nodeKnowsBound != true else {
        return .ok("clock", "the node's operator states how wrong the wall clock may be")
      }
      return bound >= 0
        ? .ok("clock", "the kernel counts the wall clock as synchronized")
        : .warning(
          "clock", "nothing keeps the wall clock right", remedy: "sudo apt install chrony")
    }
    let name = "\(keeper.name) (process \(keeper.id))"
    guard bound >= 0 else {
      return .warning(
        "clock", "\(name) runs, and the wall clock is not synchronized yet",
        remedy: "wait, or look at its servers: chronyc sources, timedatectl timesync-status")
    }
    guard spoiler == nil else {
      return .warning(
        "clock", "\(name) keeps the wall clock right, without a bound of its error",
        remedy: "if the error matters, let chrony alone keep the clock, which computes a bound, or "
          + "state one: camerad --clock-error")
    }
    let words = "\(name) keeps the wall clock right, within \((bound + 999) / 1000) ms"
    guard nodeKnowsBound != false else {
      return .warning(
        "clock", "\(words), and the node does not know it",
        remedy: "if that lasts for a minute, let the node see other processes "
          + "(ProtectProc=default in its unit, no hidepid= of /proc), or state a bound: "
          + "camerad --clock-error")
    }
    return .ok("clock", words)
  }
}
