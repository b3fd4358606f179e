import ArgumentParser
import CameraClient

extension RecordCommand {
  struct Run: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Records for a while and fetches the movie."
    )

    @OptionGroup var options: BusOptions
    @OptionGroup var quality: QualityOption

    @Option(
      help: ArgumentHelp("How long.", valueName: "DURATION"),
      transform: DurationText.positive
    )
    var duration: Duration

    @Option(name: .shortAndLong, help: ArgumentHelp("Where to; default: here.", valueName: "PATH"))
    var output: String?

    func run(on bus: CameraBus) async throws {
      let output = try OutputPattern(output)
      if output.isStandardOutput {
        throw CommandFailure.usage("a movie goes to a file: name one, or a folder")
      }
      let camera = try await options.chosenCamera(of: bus)
      let movie = try await record(camera)
      try await MovieOutput(options).deliver(movie, from: bus, to: output)
    }

    /// Records until the node ends the movie at its length, or Ctrl-C does.
    private func record(_ camera: Camera) async throws -> Movie {
      let interruption = await Interruption()
      let recording = try await camera.startRecording(
        quality: quality.quality, maximumDuration: duration)
      return try await withThrowingTaskGroup(of: Movie?.self) { group in
        group.addTask { try await recording.movie() }
        group.addTask {
          guard await interruption.comes() else { return nil }
          return try await recording.stop()
        }
        group.addTask { [duration, options] in
          await showProgress(of: duration, isWanted: !options.json)
          return nil
        }
        defer { group.cancelAll() }
        while let outcome = try await group.next() {
          if let movie = outcome { return movie }
        }
        throw CameraBusError(.cancelled, "the recording was not followed to its end")
      }
    }
  }
}

/// A bar that fills with time, until the task is cancelled.
private func showProgress(of duration: Duration, isWanted: Bool) async {
  guard isWanted, StandardError.isTerminal else { return }
  var bar = ProgressBar("recording", isWanted: true)
  let start = ContinuousClock.now
  while !Task.isCancelled {
    let elapsed = min(ContinuousClock.now - start, duration)
    bar.show(elapsed / duration, "\(elapsed.words) of \(duration.words), Ctrl-C ends it well")
    try? await Task.sleep(for: .milliseconds(100))
  }
  bar.clear()
}
