import ArgumentParser
import CameraClient
import Glibc
import OperatingSystem

/// Takes photos.
struct CaptureCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Takes photos.",
    discussion: """
      --when says which frame: now (the nearest), next, past:0.2s (that long ago), within:0.5s (the newest \
      if it is no older, else the next), at:+0.5s or at:2026-11-21T09:07:07.25Z. next and within go by the \
      earliest moment at which the exposure may have begun. A duration is \(DurationText.forms). The \
      time until a moment that is still to come does not count against --timeout.
      --output is a file, a folder, a name with %d for the photos' numbers, or - for the standard output.
      A device or a pipe takes all photos, one after the other. The photo waits for a pipe's reader.
      With --count each photo is another frame: --when says which is the first; each further one is the \
      next frame after the photo before it. With --interval it is the frame nearest to its own moment, counted \
      on the node's clock from the first one. One that cannot be taken then is told, the others are taken all the \
      same, and the status is 1 in the end. One that cannot be written ends the series.
      """
  )

  @OptionGroup var options: BusOptions

  @Option(
    help: ArgumentHelp("Which frame: now, next, past:, within: or at:.", valueName: "WHEN"),
    completion: .moments, transform: WhenText.parse
  )
  var when = CaptureTime.now

  @Option(
    help: ArgumentHelp("How many photos, one after another.", valueName: "N"),
    transform: PositiveCount.parse)
  var count = 1

  @Option(
    help: ArgumentHelp("How long from one photo of --count to the next.", valueName: "DURATION"),
    transform: DurationText.positive)
  var interval: Duration?

  @Option(
    help: ArgumentHelp(
      "As the stream (the default), or the largest that the camera has, for which it may change its format.",
      valueName: "stream|max"),
    completion: .list(["stream", "max"]), transform: Self.size)
  var size = PhotoSize.stream

  @Option(help: ArgumentHelp("JPEG quality 1 to 100, where the node encodes.", valueName: "Q"))
  var quality: Int?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write; default: this folder.", valueName: "PATH"),
    completion: .file())
  var output: String?

  @OptionGroup var existing: OverwriteOption

  @Flag(help: "Write photos to the standard output even if it is a terminal.")
  var force = false

  @Flag(help: "Do not keep the photos in the node's library.")
  var transient = false

  func validate() throws {
    if let quality, !(1...100).contains(quality) {
      throw ValidationError("--quality is 1 to 100, not \(quality)")
    }
    if interval != nil, count == 1 {
      throw ValidationError("--interval is between photos: give --count 2 or more")
    }
    if let interval, interval < .milliseconds(1) {
      throw ValidationError("--interval is at least 1ms")
    }
    if interval != nil, size == .maximum {
      throw ValidationError(
        "--interval names moments, and a photo of the largest size is of none: leave --size out")
    }
    if count > 1, interval == nil, case .atWall = when {
      throw ValidationError("--when at: is one moment and --count \(count) are many: leave one out")
    }
    if options.json, OutputPattern.isStandardOutput(output) {
      throw ValidationError("--json and --output - cannot share the standard output: name a file")
    }
  }

  func run(on bus: CameraBus) async throws {
    let output = try OutputPattern(output, count: count, overwrites: existing.overwrite)
    if output.isStandardOutput, StandardOutput.isTerminal, !force {
      throw CommandFailure.usage(
        "a terminal cannot show a photo: name a file, send the output to one, or use --force")
    }
    try output.check(.jpeg)
    let camera = try await options.chosenCamera(of: bus)
    if let interval { return try await takeAtIntervals(interval, camera, output) }
    let photos = camera.captureSeries(
      count, from: when, size: size, quality: quality, isKept: !transient, timeout: options.timeout)
    var number = 0
    var stream: StreamWriter?
    for try await photo in photos {
      number += 1
      try await deliver(photo, of: camera, number, to: output, &stream)
    }
  }

  private func takeAtIntervals(
    _ interval: Duration, _ camera: Camera, _ output: OutputPattern
  ) async throws {
    let shots = camera.timeLapse(
      count, every: interval, from: when, quality: quality, isKept: !transient,
      timeout: options.timeout)
    var stream: StreamWriter?
    var missed = 0
    for try await shot in shots {
      switch shot.photo {
      case .success(let photo):
        try await deliver(photo, of: camera, shot.number, to: output, &stream)
      case .failure(let error):
        missed += 1
        tell(MissedPhoto(shot, error, of: camera))
      }
    }
    guard missed > 0 else { return }
    throw CommandFailure(
      code: CameraBusError.Code.frameUnavailable.rawValue,
      message: "\(missed) of \(count) photos could not be taken", status: EXIT_FAILURE)
  }

  private func tell(_ missed: MissedPhoto) {
    if options.json { return JSONLine.print(missed) }
    options.note(
      "camctl: photo \(missed.number) could not be taken: \(missed.missed.message)", style: .warning
    )
  }

  private static func size(_ text: String) throws -> PhotoSize {
    switch text {
    case "stream": return .stream
    case "max": return .maximum
    default: throw ValidationError("write stream or max")
    }
  }

  private func deliver(
    _ photo: Photo, of camera: Camera, _ number: Int, to output: OutputPattern,
    _ stream: inout StreamWriter?
  ) async throws {
    options.remark("request \(photo.requestID), SHA-256 \(photo.sha256)")
    let photo = TakenPhoto(photo, of: camera)
    let file: String?
    do {
      if let path = output.stream {
        let open = if let stream { stream } else { try await StreamWriter.open(path) }
        stream = open
        try await open.write(photo.bytes)
        file = path
      } else {
        file = try await photo.write(number, to: output)
      }
    } catch {
      var failure = CommandFailure(error)
      failure.message += "; \(photo.whereabouts)"
      throw failure
    }
    guard let file else { return }
    if options.json {
      JSONLine.print(photo.report(file: file))
    } else {
      StandardOutput.write(line: options.quiet ? file : "\(file): \(photo.words)")
    }
  }
}
