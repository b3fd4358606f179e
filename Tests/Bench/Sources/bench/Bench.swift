import ArgumentParser

/// The benchmark, and the programs that it starts as processes of their own.
@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures CameraBus beside the floor: the same bytes by bare libzmq in C.",
    subcommands: [
      Measure.self, SubscribeRole.self, RequestRole.self, CaptureRole.self, DownloadRole.self,
      EncodeRole.self,
    ],
    defaultSubcommand: Measure.self)
}
