import ArgumentParser
import CameraClient

/// Measures a camera's frames: their rate, latency and losses.
struct WatchCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Receives a camera's frames and measures rate, latency and losses.",
    discussion: """
      Until Ctrl-C, or --count frames. On a terminal a line tells how it goes; a note says when frames stop, or \
      become fewer under pressure, and why. At the end there is a table, and the reasons for which frames of the camera were \
      not published.
      Latencies over the bus and in total are right on the node's own machine only.
      """
  )

  @OptionGroup var options: BusOptions

  @Option(
    help: ArgumentHelp("End after this many frames.", valueName: "N"),
    transform: PositiveCount.parse)
  var count: Int?

  @Option(
    help: ArgumentHelp("preview, full, raw, h264, or a size such as 320x240.", valueName: "STREAM"),
    completion: .list(["preview", "full", "raw", "h264"]), transform: Self.stream
  )
  var stream = FrameStream.preview

  @Flag(help: "With --json, print an object for every frame too.")
  var frames = false

  func validate() throws {
    guard !frames || options.json else {
      throw ValidationError("--frames is for --json: without it there is a summary of the frames")
    }
  }

  private static func stream(_ text: String) throws -> FrameStream {
    guard let stream = FrameStream(text) else {
      throw ValidationError(
        "write preview, full, raw, h264, or a size of 16 to 8192 pixels such as 320x240")
    }
    return stream
  }

  func run(on bus: CameraBus) async throws {
    let camera = try await options.chosenCamera(of: bus)
    let before = try await bus.status()
    guard before.cameras.first(where: { $0.name == camera.name })?.state != .stopped else {
      throw CameraBusError(
        .notRunning, "\(camera.name) is stopped: start its session", reason: .sessionStopped)
    }
    let supply = FrameSupplyMonitor(of: stream)
    try await Interruption.shared.section { section in
      var report = try await section.ending { try await receive(camera, supply) }
      LiveLine.shared.end()
      // A node that is gone does not tell its losses, and the summary is due all the same.
      if !supply.isNodeSilent, let after = try? await bus.status() {
        report.addCounters(from: before, to: after)
      }
      if options.json { JSONLine.print(report) } else { report.show() }
    }
  }

  /// Receives until there are enough frames or the task is cancelled.
  private func receive(
    _ camera: Camera, _ supply: FrameSupplyMonitor
  ) async throws -> StreamReport {
    try await withThrowingTaskGroup(of: StreamReport?.self) { group in
      group.addTask { try await measure(camera, supply) }
      group.addTask {
        await supply.follow(camera, options)
        return nil
      }
      defer { group.cancelAll() }
      while let outcome = try await group.next() {
        if let report = outcome { return report }
      }
      throw CancellationError()
    }
  }

  private func measure(
    _ camera: Camera, _ supply: FrameSupplyMonitor
  ) async throws -> StreamReport {
    let sequence = camera.frames(stream, policy: .newest(4))
    var meter = StreamMeter()
    for try await frame in sequence {
      meter.add(frame)
      if options.json, frames { JSONLine.print(FrameReport(frame)) }
      if options.isTalkative, supply.trouble == nil {
        LiveLine.shared.show { [meter] columns in
          meter.words(losses: sequence.losses, columns: columns)
        }
      }
      if meter.frames == count { break }
    }
    return StreamReport(
      meter, camera: camera.name, stream: stream, losses: sequence.losses,
      trouble: supply.trouble)
  }
}
