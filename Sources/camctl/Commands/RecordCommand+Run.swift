import ArgumentParser
import CameraClient
import Words

extension RecordCommand {
  struct Run: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Records for a while and fetches the movie."
    )

    @OptionGroup var options: BusOptions
    @OptionGroup var movie: MovieOptions

    @Option(
      help: ArgumentHelp("How long to record: \(DurationText.forms).", valueName: "DURATION"),
      transform: DurationText.positive
    )
    var duration: Duration

    @OptionGroup var limit: MovieSizeLimit

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("Where to write; default: this folder.", valueName: "PATH"),
      completion: .file())
    var output: String?

    @OptionGroup var existing: OverwriteOption

    func run(on bus: CameraBus) async throws {
      let place = try OutputPattern(
        movie: output, self.movie.kind(for: output), overwrites: existing.overwrite)
      // What the name asks for too.
      try RequestRules.check { () throws(CameraBusError) in
        try self.movie.settings(for: output).request()
      }
      let camera = try await options.chosenCamera(of: bus)
      let movie = try await record(camera)
      try await MovieOutput(options).deliver(movie, from: bus, to: place)
      if let trouble = movie.trouble(isStoppedHere: Interruption.shared.status != nil) {
        throw CameraBusError(
          .interrupted, "the movie ended before its time, and is whole up to there: \(trouble)")
      }
    }

    /// Records until the node ends the movie at its length, or Ctrl-C does.
    private func record(_ camera: Camera) async throws -> Movie {
      try await Interruption.shared.section { section in
        let recording = try await camera.startRecording(
          movie.settings(for: output), maximumDuration: duration, maximumBytes: limit.size)
        options.remark("recording \(recording.id) began at \(recording.started.words)")
        defer { LiveLine.shared.end() }
        do {
          return try await section.ending { try await follow(recording) }
        } catch {
          guard Interruption.shared.status != nil, CommandFailure(error).code == "cancelled" else {
            throw error
          }
          return try await stop(recording)
        }
      }
    }

    /// Waits for the movie's end, and meanwhile says how it goes.
    private func follow(_ recording: Recording) async throws -> Movie {
      let supply = FrameSupplyMonitor()
      return try await withThrowingTaskGroup(of: Movie?.self) { group in
        group.addTask { try await recording.movie() }
        group.addTask {
          await supply.follow(recording.camera, options)
          return nil
        }
        group.addTask {
          await showProgress(supply)
          return nil
        }
        defer { group.cancelAll() }
        while let outcome = try await group.next() {
          if let movie = outcome { return movie }
        }
        throw CameraBusError(.cancelled, "the recording was not followed to its end")
      }
    }

    private func stop(_ recording: Recording) async throws -> Movie {
      do {
        return try await recording.stop()
      } catch {
        guard error.code == .unreachable || error.code == .timedOut else { throw error }
        throw CameraBusError(
          error.code,
          "the movie could not be stopped and has not been fetched: the node keeps what there is of it "
            + "(camctl assets shows it when the node is back)",
          isRetryable: true, cause: error)
      }
    }

    /// A bar that fills with time while frames come, until the task is cancelled.
    private func showProgress(_ supply: FrameSupplyMonitor) async {
      guard options.isTalkative else { return }
      let bar = ProgressBar("recording", isWanted: true)
      let start = ContinuousClock.now
      while !Task.isCancelled {
        let elapsed = min(ContinuousClock.now - start, duration)
        if supply.trouble == nil {
          bar.show(
            elapsed / duration, "\(elapsed.inTenths) of \(duration.words)",
            hint: ", Ctrl-C ends it well")
        }
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }
}

extension Movie {
  /// Why the movie ended before its time; nil if it ended as the user wanted.
  fileprivate func trouble(isStoppedHere: Bool) -> String? {
    switch reason {
    case .limitReached, nil: nil
    case .stopped: isStoppedHere ? nil : "another client or a new configuration stopped it"
    case let reason?: reason.words
    }
  }
}
