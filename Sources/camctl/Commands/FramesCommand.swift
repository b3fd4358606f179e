import ArgumentParser
import CameraClient

/// Prints the numbers and exact times of a movie's frames.
struct FramesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "frames",
    abstract: "Prints the numbers and exact times of the frames in a movie file.",
    discussion: """
      They are those of the frames on the bus, so that a movie can be matched with what `watch --json --frames` \
      printed. PLAYED AT is when players show the frame: in whole milliseconds.
      """
  )

  @Argument(
    help: ArgumentHelp("A movie that a node recorded.", valueName: "MOVIE"),
    completion: .file(extensions: ["mkv", "mp4"]))
  var file: String

  @Flag(help: "Print one JSON object a line; `camctl help json` names the fields.")
  var json = false

  func run() async throws {
    var table = Table("FRAME", "TIME", "MONOTONIC", "PLAYED AT")
    var count = 0
    for try await frame in MovieFrameSequence(of: file) {
      count += 1
      if json {
        JSONLine.print(frame)
      } else {
        table.add(
          "\(frame.sequence)", "\(frame.wall)", "\(frame.monotonic.nanoseconds) ns",
          "\(Int(frame.playTime / .milliseconds(1))) ms")
      }
    }
    guard count > 0 else {
      throw CameraBusError(
        .unsupportedFormat,
        "\(file) has no frames with numbers: name a movie that a node recorded")
    }
    if !json { table.print() }
  }
}
