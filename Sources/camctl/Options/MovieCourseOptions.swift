import ArgumentParser
import CameraClient
import CameraProtocol
import Words

/// What files a recording has, and what becomes of it when its camera is lost.
struct MovieCourseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Go on in the next file after so long: \(DurationText.forms).", valueName: "DURATION"),
    transform: DurationText.positive)
  var segment: Duration?

  @Option(
    help: ArgumentHelp(
      "Go on in the next file after so much: \(ByteCountText.forms).", valueName: "SIZE"),
    transform: Self.byteCount)
  var segmentSize: UInt64?

  @Flag(help: "End files at whole multiples of --segment by the clock: 1h at full hours (UTC).")
  var onTheClock = false

  @Option(
    help: ArgumentHelp(
      "Make clips: keep pictures of so long, and put them into a file at each trigger.",
      valueName: "DURATION"),
    transform: DurationText.positive)
  var before: Duration?

  @Option(
    help: ArgumentHelp(
      "Make clips: so much of them comes after the last trigger.", valueName: "DURATION"),
    transform: DurationText.positive)
  var after: Duration?

  @Option(
    help: ArgumentHelp(
      "Changes of this camera's subject area are triggers too. Can be repeated.",
      valueName: "CAMERA"))
  var triggerBy: [String] = []

  enum LossPolicy: String, CaseIterable, ExpressibleByArgument {
    case end, pause
  }

  @Option(help: "What becomes of the movie when its camera is lost: end or pause.")
  var onCameraLost = LossPolicy.end

  @Option(
    help: ArgumentHelp(
      "How often `camctl events` tells how far it is: \(DurationText.forms).",
      valueName: "DURATION"),
    transform: DurationText.positive)
  var progress: Duration?

  private static func byteCount(_ text: String) throws -> UInt64 {
    guard let byteCount = ByteCountText.parse(text), byteCount > 0 else {
      throw ValidationError("write \(ByteCountText.forms)")
    }
    return UInt64(byteCount)
  }

  func validate() throws {
    let hasSegments = segment != nil || segmentSize != nil
    let hasClips = before != nil || after != nil
    if hasSegments, hasClips {
      throw ValidationError("a recording has segments or clips: leave out --segment or --before")
    }
    if onTheClock, segment == nil { throw ValidationError("--on-the-clock needs --segment") }
    if !triggerBy.isEmpty, !hasClips {
      throw ValidationError("--trigger-by needs clips: add --before or --after")
    }
  }

  func put(into settings: inout MovieSettings) {
    if segment != nil || segmentSize != nil {
      settings.files = .segments(
        MovieSegments(
          duration: segment, maximumBytes: segmentSize, followsWallClock: onTheClock))
    } else if before != nil || after != nil {
      settings.files = .clips(
        MovieClips(before: before ?? .zero, after: after ?? .zero, subjectAreas: triggerBy))
    }
    settings.onCameraLost = onCameraLost == .pause ? .pause : .end
    settings.progressInterval = progress
  }
}

/// The recording that a command is about.
struct RecordingOption: ParsableArguments {
  @Option(
    help: ArgumentHelp("This recording only; `record start --json` has its id.", valueName: "ID"),
    transform: Self.recording
  )
  var recording: Identifier?

  private static func recording(_ text: String) throws -> Identifier {
    guard let id = Identifier(text) else {
      throw ValidationError(
        "a recording's id is 32 hexadecimal digits, as `record start --json` prints it")
    }
    return id
  }
}
