import ArgumentParser
import CameraClient

/// Measures a camera's frames: their rate, latency and losses.
struct WatchCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Receives a camera's frames and measures rate, latency and losses.",
    discussion: """
      Until Ctrl-C, or --count frames. On a terminal a line tells how it goes; at the end there is a table.
      Latencies over the bus and in total are right on the node's own machine only.
      """
  )

  @OptionGroup var options: BusOptions

  @Option(
    help: ArgumentHelp("End after this many frames.", valueName: "N"),
    transform: PositiveCount.parse)
  var count: Int?

  @Option(
    help: ArgumentHelp("preview, full, raw, or a size such as 320x240.", valueName: "STREAM"),
    transform: Self.stream
  )
  var stream = FrameStream.preview

  @Flag(help: "With --json, print an object for every frame too.")
  var frames = false

  private static func stream(_ text: String) throws -> FrameStream {
    guard let stream = FrameStream(text) else {
      throw ValidationError(
        "write preview, full, raw, or a size of 16 to 8192 pixels such as 320x240")
    }
    return stream
  }

  func run(on bus: CameraBus) async throws {
    let camera = try await options.chosenCamera(of: bus)
    let before = try await camera.status()
    let start = try await camera.bus.status().epoch
    guard before.state != .stopped else {
      throw CameraBusError(
        .notRunning,
        "\(camera.name) is stopped: camctl session start starts it",
        isRetryable: true
      )
    }
    var report = try await Interruption().ending { try await receive(camera) }
    let after = try await camera.status()
    let isSameStart = try await camera.bus.status().epoch == start
    report.addLosses(after.frames.counted(since: before.frames, isSameStart: isSameStart))
    if options.json { JSONLine.print(report) } else { report.show() }
  }

  /// Receives until there are enough frames or the task is cancelled.
  private func receive(_ camera: Camera) async throws -> StreamReport {
    let sequence = camera.frames(stream, policy: .newest(4))
    var meter = StreamMeter()
    var line = LiveLine(isWanted: !options.json)
    for try await frame in sequence {
      meter.add(frame)
      if options.json, frames { JSONLine.print(FrameReport(frame)) }
      line.show(meter.words(losses: sequence.losses))
      if meter.frames == count { break }
    }
    line.clear()
    return StreamReport(meter, camera: camera.name, stream: stream, losses: sequence.losses)
  }
}
