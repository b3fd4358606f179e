import ArgumentParser
import CameraClient

/// Takes photos.
struct CaptureCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Takes photos.",
    discussion: """
      --when says which frame: now (the nearest), next, past:0.2s (that long ago), within:0.5s (the newest \
      if it is no older, else the next), at:+0.5s or at:2026-11-21T09:07:07.25Z. next and within go by the \
      earliest moment at which the exposure may have begun.
      --output is a file, a folder, a name with %d for the photos' numbers, or - for the standard output.
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

  @Option(help: ArgumentHelp("JPEG quality 1 to 100, where the node encodes.", valueName: "Q"))
  var quality: Int?

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Where to; default: here.", valueName: "PATH"),
    completion: .file())
  var output: String?

  @Flag(help: "Do not keep the photos in the node's library.")
  var transient = false

  func validate() throws {
    if let quality, !(1...100).contains(quality) {
      throw ValidationError("--quality is 1 to 100, not \(quality)")
    }
    if count > 1, case .atWall = when {
      throw ValidationError("--when at: is one moment and --count \(count) are many: leave one out")
    }
    if options.json, output == "-" {
      throw ValidationError("--json and --output - cannot share the standard output: name a file")
    }
  }

  func run(on bus: CameraBus) async throws {
    let output = try OutputPattern(output, count: count)
    let camera = try await options.chosenCamera(of: bus)
    for number in 1...count {
      let photo = try await take(camera)
      try await deliver(photo, to: output.target(number, name: photo.fileName))
    }
  }

  private func take(_ camera: Camera) async throws -> TakenPhoto {
    let photo = try await camera.capture(
      when, quality: quality, isKept: !transient, timeout: options.timeout)
    options.remark("request \(photo.requestID), SHA-256 \(photo.sha256)")
    return TakenPhoto(photo, of: camera)
  }

  private func deliver(_ photo: TakenPhoto, to target: OutputPattern.Target) async throws {
    guard case .file(let path) = target else {
      return StandardOutput.write(photo.data)
    }
    try await photo.write(to: path)
    if options.json {
      JSONLine.print(photo.report(file: path))
    } else {
      StandardOutput.write(line: options.quiet ? path : "\(path): \(photo.words)")
    }
  }
}
