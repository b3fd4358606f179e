import ArgumentParser
import CameraClient
import CameraRig
import Glibc
import OperatingSystem

extension RigCommand {
  struct Clocks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clocks",
      abstract:
        "Prints how far the nodes' clocks are ahead of this machine's, and how wrong that may be.",
      discussion: """
        The clocks are the monotonic ones (CLOCK_MONOTONIC), by which frames are stamped: camctl clock says more of \
        one. DRIFT is by how much the error grows in a second until the clock is read again. It ends with 75 if a node \
        does not answer.
        """)

    @OptionGroup var rig: Options

    func run() async throws {
      let clocks = try await rig.withRig { await $0.clocks }
      var table = Table("NODE", "AHEAD", "OFF BY AT MOST", "ROUND TRIP", "SOURCE", "DRIFT")
      for clock in clocks {
        if rig.json { JSONLine.print(clock) }
        guard let offset = clock.offset else {
          let words = clock.problem?.code.rawValue ?? "not known"
          table.add(clock.name, words.styled(.bad), "", "", "", "")
          continue
        }
        table.add(
          clock.name, offset.middle.signedWords, offset.error.words, clock.roundTrip?.words ?? "",
          clock.sourceWords.styled(clock.isWallWrong ? .warning : .plain),
          clock.driftPerSecond.map { "\($0.words)/s" } ?? "")
      }
      if !rig.json {
        table.print()
        for clock in clocks {
          guard let problem = clock.problem else { continue }
          StandardOutput.write(line: "\(clock.name): \(problem.message)", style: .bad)
        }
      }
      if clocks.contains(where: { $0.problem != nil }) { throw ExitCode(EX_TEMPFAIL) }
    }
  }

  struct Events: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "events",
      abstract: "Prints what happens on the rig's nodes: camctl events with --rig.",
      discussion: EventsCommand.configuration.discussion)

    @OptionGroup var events: EventsCommand

    func validate() throws {
      guard events.options.rig != nil || events.options.all || !events.options.nodes.isEmpty else {
        throw ValidationError("name the rig's file with --rig, or its nodes with --node")
      }
    }

    func run() async throws { try await events.run() }
  }
}

extension RigClock {
  /// "exchanges", "exchanges and wall clocks (chronyd)".
  fileprivate var sourceWords: String {
    switch source {
    case .sameClock?: "this machine's clock"
    case .wallClocks?: "exchanges and wall clocks" + (wallSource.map { " (\($0))" } ?? "")
    case .exchanges? where isWallWrong: "exchanges; the wall clocks contradict them"
    default: "exchanges"
    }
  }
}
