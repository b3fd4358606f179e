import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import Doctor

/// The checks on a small copy of `/dev`, `/proc` and `/sys`.
struct ExaminationTests {
  private let folder: TemporaryFolder
  private var machine = Machine()

  init() throws {
    folder = try TemporaryFolder()
    machine.root = folder.path
    machine.user = UserAccount(id: 1000, name: "ada", groups: [1000], listedGroups: [1000])
    machine.mayUse = { _ in true }
    try folder.write("12\n", to: "proc/version")
    try addProcess(1, "init")
    try folder.write(limits(files: "1024", processes: "9999"), to: "proc/self/limits")
  }

  private func limits(files: String, processes: String) -> String {
    """
    Limit                     Soft Limit           Hard Limit           Units
    Max processes             \(processes)         96365                processes
    Max open files            \(files)             524288               files

    """
  }

  /// - Parameters:
  ///   - words: Its command line.
  ///   - files: What its descriptors lead to.
  private func addProcess(
    _ id: Int, _ name: String, words: [String] = [], files: [String] = []
  ) throws {
    try folder.write("\(name)\n", to: "proc/\(id)/comm")
    try folder.write(words.map { $0 + "\0" }.joined(), to: "proc/\(id)/cmdline")
    for (number, file) in files.enumerated() {
      try folder.link("proc/\(id)/fd/\(number)", to: file)
    }
  }

  private func addCamera(_ name: String, model: String) throws {
    try folder.write("", to: "dev/\(name)")
    try folder.write("\(model)\n", to: "sys/class/video4linux/\(name)/name")
  }

  private var devices: [Finding] {
    DeviceChecks(machine, processes: machine.processes()).findings
  }

  // MARK: Devices

  @Test func `Without a camera the advice is the synthetic one`() {
    #expect(devices.map(\.verdict) == [.warning])
    #expect(devices.first?.remedy?.contains("cam=synthetic") == true)
  }

  @Test func `Nobody asks for a camera where the node needs none`() {
    let findings = Examination(machine, library: "/srv", node: nil, needsDevices: false).findings()
    #expect(findings.filter { $0.check == "device" }.map(\.verdict) == [.ok])
  }

  @Test func `Cameras are named in the order of their numbers, other devices are not`() throws {
    for name in ["video10", "video2", "null", "videoX"] { try addCamera(name, model: "Eye") }
    let cameras = devices.filter { $0.check == "device" }.map(\.message)
    #expect(cameras == ["/dev/video2 (Eye) may be opened", "/dev/video10 (Eye) may be opened"])
  }

  @Test mutating func `A camera that may not be opened is a problem with its remedy`() throws {
    try addCamera("video0", model: "Eye")
    machine.mayUse = { !$0.hasSuffix("video0") }
    let finding = try #require(devices.last)
    #expect(finding.verdict == .problem)
    #expect(finding.message == "/dev/video0 (Eye): no permission")
    #expect(finding.remedy?.contains("sudo") == true)
  }

  @Test func `The program that has a camera open is named`() throws {
    try addCamera("video0", model: "Eye")
    try addCamera("video1", model: "Ear")
    try addProcess(77, "cheese", files: ["/dev/null", "/dev/video0"])
    try addProcess(78, "camerad", files: ["/dev/video1"])
    let cameras = devices.filter { $0.check == "device" }
    #expect(cameras.map(\.verdict) == [.warning, .ok])
    #expect(cameras.first?.message.contains("cheese (process 77)") == true)
    #expect(cameras.last?.message.contains("camerad (process 78)") == true)
  }

  @Test mutating func `A group that was joined after the login needs a new one`() throws {
    try addCamera("video0", model: "Eye")
    if geteuid() == 0 {
      try FileManager.default.setAttributes(
        [.groupOwnerAccountName: "video"], ofItemAtPath: "\(folder.path)/dev/video0")
    }
    let group = try FileStatus(at: "\(folder.path)/dev/video0").group
    machine.user.groups = []
    machine.user.listedGroups = []
    #expect(devices.first?.remedy?.hasPrefix("sudo usermod -aG ") == true)
    #expect(devices.first?.remedy?.contains(" ada, ") == true)
    machine.user.listedGroups = [group]
    #expect(devices.first?.remedy == "log in again")
    machine.user.groups = [group]
    #expect(devices.first?.verdict == .ok)
  }

  // MARK: Disk

  @Test
  func `A disk with nothing but the reserve is a problem, and one that is nearly full a warning`() {
    let verdicts = [DiskReserve.byteCount, DiskReserve.byteCount + 1, 1 << 30].map {
      DiskCheck.finding(freeBytes: $0, of: "/srv")?.verdict
    }
    #expect(verdicts == [.problem, .warning, nil])
  }

  @Test(.enabled(if: SmallDisk.canBeMade, "only root may mount a disk"))
  func `A disk that takes no more files or is read-only is a problem`() throws {
    let disk = try SmallDisk(megabytes: 1, files: 20)
    defer { disk.unmount() }
    func check() -> Finding {
      DiskCheck(machine: Machine(), library: disk.folder.path, isInUse: true).finding
    }
    try disk.fillWithFiles()
    #expect(check().message.hasSuffix("has all the files that it was made for"))
    let mount = try ReadOnlyMount(over: disk.folder.path)
    defer { mount.end() }
    #expect(check().message.hasSuffix("is mounted read-only"))
    #expect(check().verdict == .problem)
  }

  @Test func `A library that is not there yet is called so`() {
    let message = DiskCheck(machine: machine, library: "/srv/photos/library", isInUse: false)
      .finding.message
    #expect(message.contains("/srv/photos/library does not exist yet"))
    let inUse = DiskCheck(machine: machine, library: "/srv/photos/library", isInUse: true)
    #expect(!inUse.finding.message.contains("camerad makes it"))
  }

  @Test mutating func `A library that nobody may write to is a problem unless a node has it`() {
    var check = DiskCheck(machine: machine, library: "/srv/photos/library", isInUse: false)
    #expect(check.finding.verdict != .problem)
    machine.mayUse = { _ in false }
    check = DiskCheck(machine: machine, library: "/srv/photos/library", isInUse: false)
    #expect(check.finding.verdict == .problem)
    #expect(check.finding.message.contains("/srv/photos/library"))
    check = DiskCheck(machine: machine, library: "/srv/photos/library", isInUse: true)
    #expect(check.finding.verdict != .problem)
  }

  // MARK: Sockets

  private var sockets: SocketChecks {
    SocketChecks(machine: machine, processes: machine.processes())
  }

  @Test func `A port in use brings the name of its program`() throws {
    #expect(sockets.portFindings().map(\.verdict) == [.ok])
    try folder.write(
      """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:15C2 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4242 1
         1: 0100007F:15C3 00000000:0000 01 00000000:00000000 00:00000000 00000000     0        0 4243 1

      """, to: "proc/net/tcp")
    try folder.write(
      """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 00000000000000000000000001000000:15C4 00000000000000000000000000000000:0000 0A 0:0 0:0 0 0 0 4244 1

      """, to: "proc/net/tcp6")
    try addProcess(9, "python3", files: ["socket:[4242]"])
    let findings = sockets.portFindings()
    #expect(findings.map(\.verdict) == [.problem, .problem])
    #expect(findings.first?.message == "port 5570 is in use by python3 (process 9)")
    #expect(findings.last?.message == "port 5572 is in use by a program of another user")
  }

  @Test func `A node at another address is named, and is no foreign program`() throws {
    try folder.write(
      """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0A01A8C0:15C2 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4242 1
         1: 0A01A8C0:15C3 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4243 1

      """, to: "proc/net/tcp")
    #expect(sockets.portFindings().map(\.verdict) == [.problem, .problem])
    let remedy = "--node tcp://192.168.1.10:5570"
    #expect(sockets.portFindings().first?.remedy?.contains(remedy) == true)
    try addProcess(9, "camerad", files: ["socket:[4242]", "socket:[4243]"])
    let findings = sockets.portFindings()
    #expect(findings.map(\.verdict) == [.warning])
    #expect(findings.first?.message == "camerad (process 9) listens at 192.168.1.10:5570")
    #expect(findings.first?.remedy?.contains(remedy) == true)
  }

  @Test mutating func `A socket that a node left behind is a problem, and so is a closed one`()
    throws
  {
    #expect(sockets.ipcFinding().verdict == .ok)
    try folder.write("", to: "run/camerabus/control")
    #expect(sockets.ipcFinding().verdict == .problem)
    #expect(sockets.ipcFinding().message.contains("/run/camerabus/control"))
    try folder.write(
      """
      Num       RefCount Protocol Flags    Type St Inode Path
      0000000000000000: 00000002 00000000 00010000 0001 01 4711 /run/camerabus/control

      """, to: "proc/net/unix")
    #expect(sockets.ipcFinding().verdict == .ok)
    machine.mayUse = { _ in false }
    #expect(sockets.ipcFinding().verdict == .problem)
  }

  // MARK: Clock and limits

  private func clock(bound: Int64, nodeKnowsBound: Bool? = nil) -> Finding {
    ClockCheck(
      keepers: machine.clockKeepers(), bound: bound, nodeKnowsBound: nodeKnowsBound
    ).finding
  }

  @Test func `The clock has a daemon, with or without a bound of its error`() throws {
    #expect(clock(bound: -1).message == "nothing keeps the wall clock right")
    #expect(clock(bound: 300).verdict == .ok)
    // The operator may keep it in another way.
    #expect(clock(bound: -1, nodeKnowsBound: true).verdict == .ok)
    try addProcess(5, "chronyd", words: ["/usr/sbin/chronyd", "-F", "1"])
    #expect(clock(bound: -1).verdict == .warning)
    #expect(
      clock(bound: 1200).message == "chronyd (process 5) keeps the wall clock right, within 2 ms")
    #expect(clock(bound: 1200, nodeKnowsBound: true).verdict == .ok)
    let hidden = clock(bound: 1200, nodeKnowsBound: false)
    #expect(hidden.verdict == .warning)
    #expect(hidden.remedy?.contains("ProtectProc=default") == true)
    try addProcess(6, "systemd-timesyn")
    #expect(
      clock(bound: 300).message
        == "systemd-timesyn (process 6) keeps the wall clock right, without a bound of its error")
    #expect(clock(bound: 300).remedy?.contains("--clock-error") == true)
  }

  @Test func `OpenNTPD and a chronyd that only observes do not compute a bound`() throws {
    try addProcess(4, "chronyd", words: ["/usr/sbin/chronyd", "-x"])
    #expect(clock(bound: -1).message == "nothing keeps the wall clock right")
    try addProcess(5, "ntpd", words: ["/usr/sbin/ntpd", "-f", "/etc/openntpd/ntpd.conf"])
    #expect(clock(bound: 300).verdict == .ok)
    try addProcess(7, "ntpd", words: ["ntpd: ntp engine"])
    #expect(clock(bound: 300).verdict == .warning)
  }

  @Test func `Low limits are warnings and problems, and those of a running node count`() throws {
    func verdicts() -> [Finding.Verdict] {
      let node = machine.processes().first { $0.name == "camerad" }
      return LimitChecks(machine: machine, node: node).findings.map(\.verdict)
    }
    #expect(verdicts() == [.ok, .ok])
    try addProcess(20, "camerad")
    try folder.write(limits(files: "64", processes: "100"), to: "proc/20/limits")
    #expect(verdicts() == [.problem, .warning])
    try folder.write(limits(files: "unlimited", processes: "63"), to: "proc/20/limits")
    #expect(verdicts() == [.ok, .problem])
  }

  // MARK: All of it

  @Test func `With a node the ports are its own, and every finding has a remedy unless it is ok`() {
    func checks(_ node: NodePlace?) -> [Finding] {
      Examination(machine, library: "/srv", node: node).findings()
    }
    #expect(checks(nil).contains { $0.check == "ports" })
    #expect(!checks(.tcp(port: 5570)).contains { $0.check == "ports" })
    #expect(checks(.tcp(port: 5570)).allSatisfy { ($0.remedy == nil) == ($0.verdict == .ok) })
  }

  @Test func `Of several nodes the one that answers is examined, over tcp and over ipc`() throws {
    try folder.write(
      """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:15C2 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4242 1

      """, to: "proc/net/tcp")
    try folder.write(
      """
      Num       RefCount Protocol Flags    Type St Inode Path
      0000000000000000: 00000002 00000000 00010000 0001 01 4711 /srv/bus/control

      """, to: "proc/net/unix")
    try folder.write("", to: "srv/bus/control")
    try addProcess(20, "camerad")
    try addProcess(21, "camerad", files: ["socket:[4242]"])
    try addProcess(22, "camerad", files: ["socket:[4711]"])
    for id in 20...22 {
      try folder.write(limits(files: "\(id)", processes: "9999"), to: "proc/\(id)/limits")
    }
    func words(_ node: NodePlace) -> [String] {
      Examination(machine, library: "/srv", node: node).findings()
        .filter { ["descriptors", "ipc"].contains($0.check) }.map(\.message)
    }
    #expect(
      words(.tcp(port: 5570)) == [
        "there are no sockets in /run/camerabus",
        "camerad (process 21) may have 21 open files, and needs 256",
      ])
    #expect(
      words(.ipc(path: "/srv/bus/control")) == [
        "a node listens in /srv/bus", "camerad (process 22) may have 22 open files, and needs 256",
      ])
  }

  @Test(arguments: [
    ("tcp://127.0.0.1:5570", NodePlace.tcp(port: 5570)), ("tcp://[::1]:7", .tcp(port: 7)),
    ("tcp://localhost:7", .tcp(port: 7)), ("ipc:///run/a/control", .ipc(path: "/run/a/control")),
    ("tcp://camera.example:7", nil), ("tcp://127.0.0.1:no", nil),
  ])
  func `An endpoint tells whether the node is on this machine`(
    endpoint: String, place: NodePlace?
  ) {
    #expect(NodePlace(endpoint: endpoint) == place)
  }
}
