import ArgumentParser
import CameraClient
import OperatingSystem
import Words

/// Draws a photo or the live preview in the terminal.
struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Draws the live preview, or a photo, in the terminal.",
    discussion: """
        camctl show                the live preview, until Ctrl-C or --frames
        camctl show 0a1b2c3d       a photo of the library, by the first digits of its id
        camctl show --latest       the newest photo
        camctl show still.jpg      a file of this machine

      With pixels (sixel) where the terminal says that it has them, otherwise with coloured half blocks, of 24 bits if \
      COLORTERM is truecolor and else of 256 colours, and without colours with plain characters. Only JPEG can be shown.
      The live preview takes the smallest stream that suffices, 160x120, 320x240 or preview, and draws the newest frame \
      whenever the terminal is ready for it; for a slow terminal it makes the picture smaller. The line below it says so.
      """
  )

  @OptionGroup var options: BusOptions

  @Argument(
    help: ArgumentHelp(
      "A JPEG file, or an asset's id as `camctl assets` shows it, or its first digits.",
      valueName: "FILE|ASSET"),
    completion: .assets)
  var picture: String?

  @Flag(help: "Draw the newest photo; with --camera, of that camera.")
  var latest = false

  @Option(
    help: ArgumentHelp("End the live preview after this many frames.", valueName: "N"),
    transform: PositiveCount.parse)
  var frames: Int?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("How to draw, also into a file or a pipe.", valueName: "sixel|blocks|text"))
  var form: PictureForm?

  @Option(
    help: ArgumentHelp(
      "The most columns to take; default: all of the terminal's, and 80 elsewhere.",
      valueName: "COLUMNS"),
    transform: Self.columns)
  var width: Int?

  private static func columns(_ text: String) throws -> Int {
    guard let count = Int(text), (1...1000).contains(count) else {
      throw ValidationError("write a number of columns, 1 to 1000")
    }
    return count
  }

  private var isLive: Bool { picture == nil && !latest }

  func validate() throws {
    if options.json { throw ValidationError("a picture is no JSON: leave --json out") }
    if picture != nil, latest {
      throw ValidationError("--latest is a photo of its own: leave it or the other one out")
    }
    if frames != nil, !isLive {
      throw ValidationError("--frames is for the live preview: leave it out for a photo")
    }
    if form == nil, !StandardOutput.isTerminal {
      throw ValidationError(
        "the standard output is no terminal: say how to draw with --as sixel, blocks or text")
    }
  }

  func run() async throws {
    if let picture, FileStatus.exists(picture) {
      return try await draw(ShownFile(at: picture))
    }
    let id = try picture.map(Self.id)
    try await options.withBus { bus in
      if isLive {
        try await drawFrames(of: options.chosenCamera(of: bus))
      } else if let id {
        try await draw(ShownFile(id.asset(of: bus), of: bus))
      } else {
        try await draw(ShownFile(newestPhoto(of: bus), of: bus))
      }
    }
  }

  private func newestPhoto(of bus: CameraBus) async throws -> Asset {
    let filter = AssetFilter(camera: options.camera, kind: .photo)
    // Newer ones may be of kinds that cannot be drawn.
    for asset in try await bus.assets(filter, limit: 1000)
    where asset.mediaType == MediaType.jpeg.rawValue {
      return asset
    }
    throw CameraBusError(
      .noSuchAsset, "the library has no JPEG\(options.camera.map { " of \($0)" } ?? "") yet")
  }

  private static func id(_ picture: String) throws -> AssetText {
    guard let id = try? AssetText(picture) else {
      throw CommandFailure.usage(
        "'\(picture)' is no file and no asset's id of 4 to 32 digits: name a JPEG file, or an asset of camctl assets"
      )
    }
    return id
  }

  private func draw(_ file: ShownFile) async throws {
    let terminal = await TerminalIntroduction(form, isLive: false)
    var canvas = PictureCanvas(terminal.form, width: width, terminal.answers)
    let room = canvas.room
    try canvas.draw(file.picture { room.size(of: $0, as: terminal.form) })
  }

  private func drawFrames(of camera: Camera) async throws {
    let status = try await camera.status()
    guard status.state != .stopped else {
      throw CameraBusError(
        .notRunning, "\(camera.name) is stopped: start its session", reason: .sessionStopped)
    }
    let terminal = await TerminalIntroduction(form, isLive: true)
    let canvas = PictureCanvas(terminal.form, width: width, terminal.answers)
    defer { TerminalMode.shared.restore() }
    try await Interruption.shared.section { section in
      let words = try await section.ending {
        var view = try LiveView(
          camera, status, on: canvas, answersQuestions: terminal.answers != nil, options)
        return try await view.run(frames: frames)
      }
      LiveLine.shared.end()
      options.note(words)
    }
  }
}
