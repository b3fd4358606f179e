/// The limits of descriptors and threads: of the node if its process is known, else of this
/// process.
struct LimitChecks {
  let machine: Machine
  let node: RunningProcess?

  var findings: [Finding] {
    let place = node.map { "/proc/\($0.id)/limits" } ?? "/proc/self/limits"
    let limits = machine.text(of: place) ?? ""
    let subject = node?.words ?? "a program that you start"
    return [
      finding(
        "descriptors", "open files", limit: Self.softLimit("Max open files", in: limits),
        needed: 256, wanted: 1024, of: subject, option: "LimitNOFILE=4096", shell: "ulimit -n 4096"),
      finding(
        "threads", "processes and threads", limit: Self.softLimit("Max processes", in: limits),
        needed: 64, wanted: 512, of: subject, option: "TasksMax=1024", shell: "ulimit -u 4096"),
    ]
  }

  private func finding(
    _ check: String, _ what: String, limit: Int?, needed: Int, wanted: Int, of subject: String,
    option: String, shell: String
  ) -> Finding {
    guard let limit else { return .ok(check, "\(subject) may have any number of \(what)") }
    let message = "\(subject) may have \(limit) \(what)"
    let remedy = "raise the limit: \(shell) in the shell, or \(option) in the unit of systemd"
    if limit < needed { return .problem(check, "\(message), and needs \(needed)", remedy: remedy) }
    if limit < wanted {
      return .warning(check, "\(message), which is few for many cameras or clients", remedy: remedy)
    }
    return .ok(check, message)
  }

  /// The soft limit in a table of `/proc/PID/limits`; nil if it is unlimited or not in the table.
  static func softLimit(_ name: String, in table: String) -> Int? {
    table.split(separator: "\n").first { $0.hasPrefix(name) }
      .flatMap { $0.dropFirst(name.count).split(separator: " ").first }.flatMap { Int($0) }
  }
}
