import ArgumentParser
import CameraClient
import Words

/// Records movies.
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Records movies.",
    discussion: """
      camctl record --duration 5s --output FILE records and fetches in one go; Ctrl-C ends the movie early \
      and still fetches it. If the movie ends early by itself, on a full disk for example, it is fetched \
      too, and the status is 1. A FILE that ends in .mp4 is H.264, which browsers and telephones play; one that ends in \
      .mkv has the camera's JPEGs. camctl record start and stop leave the time between to you, and \
      can make one file after the other (--segment) or clips around triggers (--before, --after); \
      camctl assets --request ID lists their files.
      """,
    subcommands: [
      Run.self, Start.self, Stop.self, Pause.self, Resume.self, Trigger.self,
    ],
    defaultSubcommand: Run.self
  )

  struct Start: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Starts a movie, which goes on until it is stopped, or until a limit."
    )

    @OptionGroup var options: BusOptions
    @OptionGroup var movie: MovieOptions
    @OptionGroup var course: MovieCourseOptions
    @OptionGroup var limit: MovieSizeLimit

    @Option(
      help: ArgumentHelp(
        "End it by itself after so long: \(DurationText.forms).", valueName: "DURATION"),
      transform: DurationText.positive)
    var duration: Duration?

    private var settings: MovieSettings {
      var settings = movie.settings()
      course.put(into: &settings)
      return settings
    }

    func validate() throws {
      try RequestRules.check { () throws(CameraBusError) in try settings.request() }
    }

    func run(on bus: CameraBus) async throws {
      let camera = try await options.chosenCamera(of: bus)
      let recording = try await camera.startRecording(
        settings, maximumDuration: duration, maximumBytes: limit.size)
      if options.json { return JSONLine.print(RecordingStart(recording)) }
      StandardOutput.write(
        line: "\(recording.camera.name) records since \(recording.started.words): "
          + "camctl record stop ends it (recording \(recording.id))"
      )
      if case .clips = settings.files {
        StandardOutput.write(line: "camctl record trigger makes a clip")
      }
    }
  }

  struct Stop: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Stops the movie; with --output, fetches it."
    )

    @OptionGroup var options: BusOptions
    @Option(
      name: .shortAndLong, help: ArgumentHelp("Where to write.", valueName: "PATH"),
      completion: .file())
    var output: String?

    @OptionGroup var existing: OverwriteOption
    @OptionGroup var which: RecordingOption

    func run(on bus: CameraBus) async throws {
      let output = try output.map {
        try OutputPattern(
          movie: $0, MediaType.named(by: $0) ?? .matroska, overwrites: existing.overwrite)
      }
      let camera = try await options.chosenCamera(of: bus)
      let movie = try await camera.stopRecording(which.recording)
      try await MovieOutput(options).deliver(movie, from: bus, to: output)
    }
  }
}
