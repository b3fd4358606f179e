import ArgumentParser
import CameraClient
import CameraRig
import Glibc
import OperatingSystem
import Words

extension RigCommand {
  struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "record",
      abstract: "Records a movie with every camera of the rig, from one moment to another.",
      discussion: """
        The folder gets the movies, named by camera, and recording.json: when each began and ended by this machine's \
        clock, with bounds, and how much later than the first of them a player has to begin it. Ctrl-C ends all movies \
        at one moment, and still fetches them. It ends with 75 if a camera has no movie, or one that ended before its \
        time.
        """)

    @OptionGroup var rig: Options
    @OptionGroup var movie: MovieOptions

    @Option(
      name: .customLong("duration"),
      help: ArgumentHelp(
        "How long to record: \(DurationText.forms); default: until Ctrl-C.", valueName: "DURATION"),
      transform: DurationText.positive)
    var duration: Duration?

    @Option(
      help: ArgumentHelp(
        "How many cameras have to be ready: all (the default), any, or a number.",
        valueName: "POLICY"),
      transform: RigPolicy.init(text:))
    var need = RigPolicy.all

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("The folder to make for the recording.", valueName: "FOLDER"),
      completion: .directory)
    var output: String

    func run() async throws {
      let recording = try await rig.withRig { rig in try await record(rig) }
      print(recording)
      if recording.outcome != .complete { throw ExitCode(EX_TEMPFAIL) }
    }

    private func record(_ rig: Rig) async throws -> RigRecording {
      let folder = try RigCommand.folder(output)
      let receive: RunningRigRecording.Receiver = { (camera, movie, bus) throws(CameraBusError) in
        try await folder.write(movie, of: camera, from: bus)
      }
      let recording = try await Interruption.shared.section { section in
        let running = await rig.startRecording(
          for: duration, movie.settings(), policy: need)
        let state = await running.state
        if state.outcome != .abandoned, !self.rig.json, !self.rig.quiet,
          StandardStream.error.isTerminal
        {
          let count = state.parts.count { $0.problem == nil }
          StandardError.write(
            line: "\(count.counted("camera")) will record; Ctrl-C ends the movies well",
            style: .faint)
        }
        let stopping = Task { await stop(running, section) }
        defer { stopping.cancel() }
        return await running.finish(onMovie: receive)
      }
      try await folder.write(recording)
      return recording
    }

    /// Ends the movies when the user interrupts.
    private func stop(_ running: RunningRigRecording, _ section: Interruption.Section) async {
      do {
        try await section.ending { try await Task.sleep(for: .seconds(1 << 30)) }
      } catch {
        guard Interruption.shared.status != nil else { return }
        await running.stop()
      }
    }

    private func print(_ recording: RigRecording) {
      guard !rig.json else { return JSONLine.print(recording) }
      var table = Table(
        "CAMERA", "NODE", "FRAMES", "BEGINS AFTER THE MOMENT", "OFF BY AT MOST", "FILE")
      for part in recording.parts {
        guard let movie = part.movie else {
          table.add(
            part.camera, part.node, "-",
            Table.Cell(text: part.problem?.message ?? "no movie", style: .bad), "-", "-")
          continue
        }
        let offset = movie.first?.offset
        table.add(
          part.camera, part.node, "\(movie.frames)", offset.map { $0.middle.signedWords } ?? "-",
          offset.map { $0.error.words } ?? "-",
          movie.files.compactMap(\.name).joined(separator: ", "))
      }
      table.print()
      let count = recording.parts.count { $0.movie != nil }
      var words =
        "\(recording.outcome.rawValue): \(count) of \(recording.parts.count.counted("movie"))"
      if let skew = recording.skew {
        words += "; they begin \(skew.least.words) to \(skew.most.words) apart"
      }
      StandardOutput.write(line: words)
      for part in recording.parts where part.movie != nil {
        if let problem = part.problem {
          StandardOutput.write(line: "\(part.camera): \(problem.message)")
        }
      }
    }
  }
}
