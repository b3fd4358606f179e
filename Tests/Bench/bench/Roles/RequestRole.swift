import ArgumentParser
import CameraClient

/// Asks for a camera's status again and again.
struct RequestRole: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "request", shouldDisplay: false)

  @Option var control: String
  @Option var rounds: Int

  func run() async throws {
    let bus = try CameraBus(control)
    try await withTaskExecutorPreference(bus.executor) { try await ask(bus.camera("cam")) }
    await bus.close()
  }

  private func ask(_ camera: Camera) async throws {
    var samples = Samples()
    var (cpu, encoded): (Int64, UInt64) = (0, 0)
    for round in -rounds / 10..<rounds {
      if round == 0 { cpu = Clock.cpu }
      let sent = Clock.now
      let status = try await camera.status()
      if round >= 0 { samples.add(Clock.now - sent) }
      encoded = status.streams.reduce(0) { $0 + $1.encoded }
    }
    samples.printResult(cpu: Clock.cpu - cpu, ["encoded": Int64(encoded)])
  }
}
