import ArgumentParser
import CameraClient

/// Changes a camera's format and controls together.
struct ConfigureCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "configure",
    abstract: "Changes a camera's input, format and controls: all of it, or nothing.",
    discussion: """
      What is left out stays as it is. A camera that runs goes on as before if anything fails; a stopped one takes the \
      change for its next start. A new input begins with its own format and controls, or with those that the camera left \
      it with. A preset is one of
        photo          the most pixels, however slow
        high           the most pixels at 24 frames a second or more
        medium, low    the most pixels within 640x480 or 352x288, or the smallest size
        hd1280x720, hd1920x1080, hd3840x2160    exactly this size
        inputPriority  the format that the camera has
      """
  )

  @OptionGroup var options: BusOptions

  @Option(
    help: ArgumentHelp(
      "The device to use instead: a location or identity of `camctl devices`.",
      valueName: "DEVICE"))
  var input: String?

  @Option(
    help: ArgumentHelp("What the format is for.", valueName: "PRESET"),
    completion: .list(SessionPreset.allCases.map(\.rawValue)), transform: Self.preset)
  var preset: SessionPreset?

  @Option(
    help: ArgumentHelp(
      "Size, rate and pixel format; they come before the preset.",
      valueName: "WxH@FPS,format=YUYV"),
    transform: FormatText.init)
  var format: FormatText?

  @Option(
    help: ArgumentHelp(
      "The fastest rate of the camera in this range of frames a second.", valueName: "MIN-MAX"),
    transform: Self.rates)
  var rate: ClosedRange<Double>?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("A control; repeatable.", valueName: "CONTROL=VALUE"), completion: .settings)
  var settings: [String] = []

  @Flag(help: "Let the change end the movie that the camera records.")
  var endRecording = false

  func validate() throws {
    guard input != "" else {
      throw ValidationError("--input names no device: camctl devices lists them")
    }
    guard input != nil || preset != nil || format != nil || rate != nil || !settings.isEmpty else {
      throw ValidationError("say what to change: --input, --preset, --format, --rate or --set")
    }
    guard rate == nil || format?.frameRate == nil else {
      throw ValidationError("--format and --rate both name a rate: leave one out")
    }
    try SettingText.check(settings)
  }

  func run(on bus: CameraBus) async throws {
    let camera = try await options.chosenCamera(of: bus)
    let configured = try await camera.configure(
      input: input, preset: preset, pixelFormat: format?.pixelFormat, size: format?.size,
      frameRates: rate ?? format?.frameRate.map { $0...$0 },
      controls: SettingText.values(settings, of: camera),
      endsRecording: endRecording)
    if options.json { return JSONLine.print(configured) }
    CameraTable.print([configured.status], at: configured.status.since)
    for control in configured.controls { StandardOutput.write(line: control.assignment) }
  }

  private static func preset(_ text: String) throws -> SessionPreset {
    let known = SessionPreset.allCases
    guard let preset = known.first(where: { $0.rawValue == text }) else {
      throw ValidationError("write \(known.map(\.rawValue).joined(separator: ", "))")
    }
    return preset
  }

  private static func rates(_ text: String) throws -> ClosedRange<Double> {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map {
      Double(String($0))
    }
    guard (1...2).contains(ends.count), let first = ends.first ?? nil, let last = ends.last ?? nil,
      first > 0, first <= last, last.isFinite
    else { throw ValidationError("write frames a second, such as 10-30 or 25") }
    return first...last
  }
}
