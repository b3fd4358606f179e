import ArgumentParser
import CameraClient

/// Prints events.
struct EventsCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Prints what happens on the node, beginning with how it is.",
    discussion: """
      Until Ctrl-C, or --count events. With --camera, of that camera alone. With --history, what happened before comes \
      first, as far as the node keeps it.
      """
  )

  @OptionGroup var options: BusOptions

  @Option(
    help: ArgumentHelp("End after this many.", valueName: "N"), transform: PositiveCount.parse)
  var count: Int?

  @Flag(help: "Begin with what happened before.")
  var history = false

  func run(on bus: CameraBus) async throws {
    let events =
      options.camera.map { bus.camera($0).events(includingHistory: history) }
      ?? bus.events(includingHistory: history)
    var left = count ?? .max
    for try await event in events {
      if options.json {
        JSONLine.print(EventReport(event))
      } else {
        for line in EventWords.lines(event) { StandardOutput.write(line: line) }
      }
      left -= 1
      if left == 0 { return }
    }
  }
}
