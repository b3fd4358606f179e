import ArgumentParser
import CameraClient
import CameraProtocol
import Doctor
import OperatingSystem
import Words

/// Examines this machine and its node.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Finds out why cameras or the node do not work.",
    discussion: """
      It examines this machine: who may open the cameras and who has them open, the disk, ports and ipc \
      sockets, the clock, and the limits of descriptors and threads. It asks the node for its cameras, or for \
      the one that --camera names. Each check is a line: ok, warning or problem, and what to do. It changes nothing.

      Exit status: 0 no problem was found; 1 at least one was.
      """
  )

  @OptionGroup var options: BusOptions

  @Option(
    help: ArgumentHelp(
      "The folder of photos and movies; default: the node's.", valueName: "DIR"),
    completion: .directory)
  var library: String?

  func run() async throws {
    let visit = try await NodeVisit(options)
    let library = library ?? visit.library ?? DefaultLibrary.path
    let examination = Examination(
      library: library, node: visit.place,
      isLibraryOfNode: visit.library.map(Folder.absolute) == Folder.absolute(library),
      needsDevices: visit.needsDevices, nodeKnowsClock: visit.knowsClock)
    let findings = visit.findings + examination.findings()
    for finding in findings {
      if options.json { JSONLine.print(finding) } else { show(finding) }
    }
    if !options.json {
      let counts = [Finding.Verdict.problem, .warning].map { verdict in
        findings.count { $0.verdict == verdict }.counted(verdict.rawValue)
      }
      StandardOutput.write(
        line: "\(findings.count.counted("check")): \(counts.joined(separator: ", "))")
    }
    if findings.contains(where: { $0.verdict == .problem }) { throw ExitCode.failure }
  }

  private func show(_ finding: Finding) {
    let verdict = finding.verdict.rawValue
    let space = String(repeating: " ", count: 9 - verdict.count)
    let remedy = finding.remedy.map { ": \($0)" } ?? ""
    let style: Style =
      switch finding.verdict {
      case .ok: .plain
      case .warning: .warning
      case .problem: .bad
      }
    StandardOutput.write(
      line: "\(verdict)\(space)\(finding.check): \(finding.message)\(remedy)", style: style)
  }
}
