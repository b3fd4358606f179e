import ArgumentParser
import CameraClient
import CameraProtocol
import Words

/// Changes a camera's format and controls together.
struct ConfigureCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "configure",
    abstract:
      "Changes a camera's input, format, controls, rates and orientations: all of it, or nothing.",
    discussion: """
      What is left out stays as it is. A camera that runs goes on as before if anything fails; a stopped one takes the \
      change for its next start. A lower rate and orientations need no other start of the camera. A new input begins with its own format and controls, \
      or with those that the camera left it with. A preset is one of
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
    help: ArgumentHelp(
      "What the camera is mainly used for, with the preset photo or high unless another one or a format is named.",
      valueName: "photo|video"),
    completion: .list(CaptureMode.allCases.map(\.rawValue)), transform: Self.mode)
  var mode: CaptureMode?

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
      "The fastest rate of the camera in this range of frames a second, or a faster one thinned out.",
      valueName: "MIN-MAX"),
    transform: Self.rates)
  var rate: ClosedRange<Double>?

  @Option(
    help: ArgumentHelp("Turns photos and movies clockwise.", valueName: "0|90|180|270"),
    completion: .list(RotationText.values), transform: RotationText.parse)
  var rotate: Int?

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Whether left and right change places in photos and movies, after the rotation.")
  var mirror: Bool?

  @Option(
    help: ArgumentHelp("Turns the encoded streams clockwise.", valueName: "0|90|180|270"),
    completion: .list(RotationText.values), transform: RotationText.parse)
  var previewRotate: Int?

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: "Whether left and right change places in the encoded streams, after the rotation.")
  var previewMirror: Bool?

  @Option(
    name: .customLong("stream"),
    help: ArgumentHelp(
      "How a stream is sent: its frames a second at most and its JPEG quality, 0 for the node's; or off, until it is on again; repeatable.",
      valueName: "preview|full|raw|WxH=rate:5,quality:60|off|on"),
    transform: StreamText.parse)
  var streams: [StreamSettings] = []

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("A control; repeatable.", valueName: "CONTROL=VALUE"), completion: .settings)
  var settings: [String] = []

  @Option(
    help: ArgumentHelp(
      "Tell when so much of the picture looks different (camctl events), 0 to 1, such as 0.3; or off.",
      valueName: "PART"),
    transform: Self.part)
  var subjectArea: Double?

  @Option(
    help: ArgumentHelp(
      "Let photos have a movie around them (camctl capture --live), with so much before and after the photo, at most 5s each; or off.",
      valueName: "1.5s|BEFORE,AFTER|off"),
    transform: Self.livePhotos)
  var livePhotos: LivePhotoSettings?

  @Option(
    help: ArgumentHelp(
      "With --live-photos, the sound of the camera's microphone, or of this one (camctl microphones).",
      valueName: "camera|NAME"))
  var liveSound: String?

  @Flag(help: "Let the change end the movie that the camera records.")
  var endRecording = false

  @Flag(
    help:
      "Forget what clients have changed: the camera stays as it is, and the next start of its node makes it as it is configured."
  )
  var forget = false

  func validate() throws {
    guard input != "" else {
      throw ValidationError("--input names no device: camctl devices lists them")
    }
    try RequestRules.check { () throws(CameraBusError) in .configure(try change([]).request()) }
    let isEmpty =
      input == nil && mode == nil && preset == nil && format == nil && rate == nil
      && capture == Turn()
      && preview == Turn() && streams.isEmpty && settings.isEmpty && subjectArea == nil
      && livePhotos == nil
    if forget {
      guard isEmpty, !endRecording else {
        throw ValidationError("--forget stands alone: make the change with another command")
      }
      return
    }
    guard !isEmpty else {
      throw ValidationError(
        "say what to change: --input, --mode, --preset, --format, --rate, --rotate, --mirror, --preview-rotate, "
          + "--preview-mirror, --stream, --set, --subject-area, --live-photos or --forget")
    }
    guard liveSound == nil || livePhotos != nil && livePhotos != .off else {
      throw ValidationError("--live-sound is of live photos: give --live-photos too, such as 1.5s")
    }
    guard rate == nil || format?.frameRate == nil else {
      throw ValidationError("--format and --rate both name a rate: leave one out")
    }
    try SettingText.check(settings)
  }

  private var capture: Turn { Turn(rotation: rotate, isMirrored: mirror) }
  private var preview: Turn { Turn(rotation: previewRotate, isMirrored: previewMirror) }

  private var movies: LivePhotoSettings? {
    guard var settings = livePhotos, let liveSound else { return livePhotos }
    settings.hasSound = true
    if liveSound != "camera" { settings.microphone = liveSound }
    return settings
  }

  private func change(_ controls: [(id: String, value: ControlValue)]) -> ConfigurationChange {
    ConfigurationChange(
      input: input, mode: mode, preset: preset, pixelFormat: format?.pixelFormat,
      size: format?.size, frameRates: rate ?? format?.frameRate.map { $0...$0 }, capture: capture,
      preview: preview, streams: streams, controls: controls, subjectArea: subjectArea,
      livePhotos: movies)
  }

  func run(on bus: CameraBus) async throws {
    let camera = try await options.chosenCamera(of: bus)
    if forget {
      let status = try await CommandFailure.ofChange { try await camera.forget() }
      return options.json
        ? JSONLine.print(ConfiguredCamera(status: status)) : CameraTable.print([status])
    }
    let controls = try await SettingText.values(settings, of: camera)
    let configured = try await CommandFailure.ofChange {
      try await camera.configure(change(controls), endsRecording: endRecording)
    }
    if options.json { return JSONLine.print(configured) }
    CameraTable.print([configured.status])
    for control in configured.controls { StandardOutput.write(line: control.assignment) }
    if let effect = configured.effect { options.note("\(effect)") }
  }

  private static func livePhotos(_ text: String) throws -> LivePhotoSettings {
    guard text != "off" else { return .off }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { DurationText.parse($0) }
    guard parts.count <= 2, let before = parts.first ?? nil, let after = parts.last ?? nil,
      before + after > .zero
    else {
      throw ValidationError("write one duration, as 1.5s, two, as 2s,1s, or off")
    }
    return LivePhotoSettings(before: before, after: after)
  }

  private static func mode(_ text: String) throws -> CaptureMode {
    guard let mode = CaptureMode.allCases.first(where: { $0.rawValue == text }) else {
      throw ValidationError("write photo or video")
    }
    return mode
  }

  private static func part(_ text: String) throws -> Double {
    guard let part = text == "off" ? 0 : Double(text) else {
      throw ValidationError("write a part of the picture from 0 to 1, such as 0.3, or off")
    }
    return part
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
      first <= last
    else { throw ValidationError("write frames a second, such as 10-30 or 25") }
    return first...last
  }
}
