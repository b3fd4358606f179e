import ArgumentParser
import CameraClient

/// Starts and stops a camera.
struct SessionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "Starts and stops a camera.",
    subcommands: [Start.self, Stop.self]
  )

  struct Start: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Starts a camera, or changes the format of one that runs."
    )

    @OptionGroup var options: BusOptions
    @Option(
      help: ArgumentHelp(
        "Size, rate and pixel format; what is left out stays as it is.",
        valueName: "WxH@FPS,format=YUYV"
      ),
      transform: FormatText.init
    )
    var format: FormatText?

    @Flag(help: "Let a new format end the movie that the camera records.")
    var endRecording = false

    func run(on bus: CameraBus) async throws {
      let status = try await options.chosenCamera(of: bus).startSession(
        pixelFormat: format?.pixelFormat,
        size: format?.size,
        frameRate: format?.frameRate,
        endsRecording: endRecording
      )
      options.show(status)
    }
  }

  struct Stop: BusCommand {
    static let configuration = CommandConfiguration(
      abstract: "Completes the movie that a camera records, and stops the camera."
    )

    @OptionGroup var options: BusOptions

    func run(on bus: CameraBus) async throws {
      options.show(try await options.chosenCamera(of: bus).stopSession())
    }
  }
}

extension BusOptions {
  fileprivate func show(_ camera: CameraStatus) {
    // The new state has just begun, so its start is the present.
    if json { JSONLine.print(camera) } else { CameraTable.print([camera], at: camera.since) }
  }
}
