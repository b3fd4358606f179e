/// Why Avahi cannot be used now, with the remedy.
package enum AvahiProblem: Hashable, Sendable, CustomStringConvertible {
  /// The library is not installed.
  case noLibrary
  /// D-Bus is not there, over which the daemon is asked.
  case noBus(String)
  /// The daemon does not run.
  case noDaemon
  /// The daemon has refused something.
  case refused(String)
  /// The daemon has not answered so far.
  case noAnswer
  /// The system has no thread or memory left.
  case noThread

  package var description: String {
    switch self {
    case .noLibrary:
      "Avahi's library is not installed: sudo apt-get install avahi-daemon libavahi-client3"
    case .noBus(let reason):
      "D-Bus does not answer, over which Avahi is asked (\(reason)): sudo apt-get install avahi-daemon dbus, "
        + "and start both"
    case .noDaemon:
      "no Avahi daemon runs here: sudo apt-get install avahi-daemon, and sudo systemctl start avahi-daemon"
    case .refused(let reason):
      "the Avahi daemon refuses (\(reason)): look into its log, and restart it"
    case .noAnswer:
      "the Avahi daemon has not answered yet: look longer, or restart it with sudo systemctl restart avahi-daemon"
    case .noThread:
      "the system has no thread or memory left for Avahi: end other programs, or allow more (ulimit -u)"
    }
  }
}
