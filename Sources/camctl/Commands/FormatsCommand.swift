import ArgumentParser
import CameraClient
import OperatingSystem

/// Lists the formats of a camera.
struct FormatsCommand: BusCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "Lists the sizes, pixel formats and rates that a camera offers.",
    discussion: """
      A camera that takes any size or rate within limits, such as a synthetic one, lists only common ones.
      """
  )

  @OptionGroup var options: BusOptions

  func run(on bus: CameraBus) async throws {
    let formats = try await options.chosenCamera(of: bus).formats()
    if options.json { return formats.forEach { JSONLine.print($0) } }
    var table = Table("FORMAT", "SIZE", "FRAMES A SECOND", "SUMMARY")
    for format in formats {
      let rates = format.frameRates.map { $0.words(to: 2) }.joined(separator: " ")
      table.add(format.pixelFormat, "\(format.size)", rates, format.summary)
    }
    table.print()
  }
}
