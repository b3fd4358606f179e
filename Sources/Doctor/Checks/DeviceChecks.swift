import OperatingSystem

/// The cameras' device nodes: whether there are any, whether this user may open them, and which
/// programs have them open.
struct DeviceChecks {
  private let machine: Machine
  private let processes: [RunningProcess]
  private let devices: [String]
  private let areNeeded: Bool

  init(_ machine: Machine, processes: [RunningProcess], areNeeded: Bool = true) {
    self.areNeeded = areNeeded
    self.machine = machine
    self.processes = processes
    devices = machine.names(in: "/dev")
      .filter { $0.hasPrefix("video") && Int($0.dropFirst(5)) != nil }
      .sorted { Int($0.dropFirst(5)) ?? 0 < Int($1.dropFirst(5)) ?? 0 }
  }

  var findings: [Finding] {
    guard !devices.isEmpty || areNeeded else {
      return [.ok("device", "there is none, and the node's cameras need none")]
    }
    guard !devices.isEmpty else {
      return [
        .warning(
          "device", "there is no /dev/video0: no camera is plugged in, or its driver is not loaded",
          remedy: "plug a camera in, or use the synthetic one: camerad --camera cam=synthetic")
      ]
    }
    return groupFindings + devices.map(finding)
  }

  /// One finding for each group that owns cameras.
  private var groupFindings: [Finding] {
    if machine.user.id == 0 { return [.ok("groups", "root may open every camera")] }
    let groups = Set(devices.compactMap { machine.status(of: "/dev/\($0)")?.group })
    return groups.sorted().filter { $0 != 0 }.map { group in
      let name = NodePermissions.name(of: group)
      if machine.user.groups.contains(group) {
        return .ok("groups", "\(machine.user.name) is in \(name), the group of the cameras")
      }
      if machine.user.listedGroups.contains(group) {
        return .warning(
          "groups", "\(machine.user.name) has joined \(name) after this login",
          remedy: "log in again")
      }
      return .warning(
        "groups", "\(machine.user.name) is not in \(name), the group of the cameras",
        remedy: "sudo usermod -aG \(name) \(machine.user.name), then log in again")
    }
  }

  private func finding(_ name: String) -> Finding {
    let path = "/dev/\(name)"
    let model = machine.text(of: "/sys/class/video4linux/\(name)/name")?
      .split(separator: "\n").first.map(String.init)
    let words = model.map { "\(path) (\($0))" } ?? path
    guard machine.mayUse(machine.root + path) else {
      return .problem(
        "device", "\(words): no permission",
        remedy: NodePermissions.remedy(for: machine.root + path))
    }
    let holders = processes.filter { $0.openFiles.contains(path) }
    let others = holders.filter { $0.name != "camerad" }
    guard others.isEmpty else {
      return .warning(
        "device", "\(words) is open in \(others.map(\.words).joined(separator: " and "))",
        remedy: "end that program if camerad reports the camera as busy")
    }
    return .ok(
      "device",
      holders.isEmpty
        ? "\(words) may be opened" : "\(words) is open in \(holders.map(\.words).joined())")
  }
}
