import ArgumentParser

/// The benchmark, and the roles that it starts as separate processes.
@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Compares CameraBus with the floor: the same bytes, sent by bare libzmq in C.",
    subcommands: [
      Measure.self, SubscribeRole.self, RequestRole.self, CaptureRole.self, DownloadRole.self,
      EncodeRole.self, BurstRole.self,
    ],
    defaultSubcommand: Measure.self)
}
