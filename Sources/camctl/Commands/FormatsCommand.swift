import ArgumentParser
import CameraClient
import Words

/// Lists the formats of a camera.
struct FormatsCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "Lists the sizes, pixel formats and rates that a camera offers.",
    discussion: """
      A camera that takes any size or rate within limits, such as a synthetic one, lists only common ones. Those that \
      the node cannot use come last, with the reason.
      """
  )

  @OptionGroup var options: BusOptions

  func run(on bus: CameraBus) async throws {
    let formats = try await options.chosenCamera(of: bus).formats()
    if options.json { return formats.forEach { JSONLine.print($0) } }
    var table = Table("FORMAT", "SIZE", "FRAMES A SECOND", "SUMMARY")
    for format in formats {
      let rates = format.frameRates.map { $0.words(to: 2) }.joined(separator: " ")
      let problem = format.problem.map { ", not usable here: \($0)" } ?? ""
      table.add(format.pixelFormat, "\(format.size)", rates, format.summary + problem)
    }
    table.print()
  }
}
