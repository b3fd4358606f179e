import ArgumentParser
import CameraClient
import CameraRig
import Glibc
import Words

extension RigCommand {
  struct Align: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "align",
      abstract: "Brings the frames of free-running cameras to a common phase.",
      discussion: """
        The frames of the rig's first camera that runs stay; the streams of the others are begun again at computed moments, \
        until their frames come at the same time, by their timestamps. Then it says what was achieved, and how fast each \
        camera drifts away again. It needs the role controller, and leaves cameras that record alone. It ends with 75 if a \
        camera is not within the tolerance.
        """)

    @OptionGroup var rig: Options

    @Option(
      help: ArgumentHelp(
        "How far frames may be from the common phase: \(DurationText.forms); default: 1ms.",
        valueName: "DURATION"),
      transform: DurationText.positive)
    var tolerance: Duration = .milliseconds(1)

    @Option(help: ArgumentHelp("How often a stream is begun again at most.", valueName: "NUMBER"))
    var tries = 6

    func validate() throws {
      guard (1...100).contains(tries) else { throw ValidationError("--tries is 1 to 100") }
    }

    func run() async throws {
      let alignment = try await rig.withRig { rig in
        await rig.align(tolerance: tolerance, tries: tries)
      }
      if rig.json { JSONLine.print(alignment) } else { print(alignment) }
      if !alignment.isComplete { throw ExitCode(EX_TEMPFAIL) }
    }

    private func print(_ alignment: RigAlignment) {
      var table = Table("CAMERA", "NODE", "BEFORE", "NOW", "DRIFT", "STARTS", "ALIGNED")
      for part in alignment.parts {
        table.add(
          part.camera, part.node, part.before?.words ?? "-", part.after?.words ?? "-",
          part.drift?.partsPerMillion ?? "-", "\(part.restarts)",
          part.isAligned
            ? Table.Cell(text: "yes", style: .good)
            : Table.Cell(text: "no: \(part.problem?.message ?? "")", style: .bad))
      }
      table.print()
      let count = alignment.parts.count(where: \.isAligned)
      StandardOutput.write(
        line:
          "\(count) of \(alignment.parts.count.counted("camera")) within \(alignment.tolerance.words)"
      )
    }
  }
}
