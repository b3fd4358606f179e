import ArgumentParser
import CameraClient
import Words

extension RecordCommand {
  struct Pause: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Pauses the movie: no time passes in it until it is resumed."
    )

    @OptionGroup var options: BusOptions
    @OptionGroup var which: RecordingOption

    func run(on bus: CameraBus) async throws {
      let camera = try await options.chosenCamera(of: bus)
      let status = try await camera.pauseRecording(which.recording)
      if options.json { return JSONLine.print(status) }
      StandardOutput.write(
        line:
          "\(camera.name) has \(status.lengthWords), and is paused: camctl record resume goes on")
    }
  }

  struct Resume: BusCommand {
    static let configuration = CommandConfiguration(abstract: "Lets a paused movie go on.")

    @OptionGroup var options: BusOptions
    @OptionGroup var which: RecordingOption

    func run(on bus: CameraBus) async throws {
      let camera = try await options.chosenCamera(of: bus)
      let status = try await camera.resumeRecording(which.recording)
      if options.json { return JSONLine.print(status) }
      StandardOutput.write(
        line: status.pause == nil
          ? "\(camera.name) has \(status.lengthWords), and goes on"
          : "\(camera.name) has \(status.lengthWords), and goes on when the camera is back")
    }
  }

  struct Trigger: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a clip of what is around now, or was a moment ago.",
      discussion: "The camera records clips: camctl record start --before 5s --after 5s."
    )

    @OptionGroup var options: BusOptions
    @OptionGroup var which: RecordingOption

    @Option(
      help: ArgumentHelp(
        "The moment was so long ago: \(DurationText.forms).", valueName: "DURATION"),
      transform: DurationText.positive)
    var ago: Duration?

    func run(on bus: CameraBus) async throws {
      let camera = try await options.chosenCamera(of: bus)
      var moment: MonotonicInstant?
      if let ago { moment = try await bus.status().now.monotonic - ago }
      let status = try await camera.triggerClip(at: moment, of: which.recording)
      if options.json { return JSONLine.print(status) }
      StandardOutput.write(
        line: "\(camera.name) makes a clip: camctl events tells when it is complete")
    }
  }
}

extension RecordingStatus {
  /// "150 frames, 10 s".
  fileprivate var lengthWords: String { "\(frames.counted("frame")), \(duration.words)" }
}
