import ArgumentParser
import CameraClient

/// A subscriber as a user writes it, from one agreed moment to another.
struct SubscribeRole: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "subscribe", shouldDisplay: false)

  @Option var control: String
  @Option var stream: String
  @Option var from: Int64
  @Option var until: Int64
  @Option(help: "Between two frames, nanoseconds.") var interval: Int64 = 0

  func run() async throws {
    guard let stream = FrameStream(stream) else { throw ValidationError("no stream") }
    var (samples, encodings, waits) = (Samples(), Samples(), Samples())
    let bus = try CameraBus(control)
    var (cpu, first): (Int64?, Int64?)
    // When the node had its first frame.
    var origin: Int64 = 0
    for try await frame in bus.camera("cam").frames(stream, policy: .newest(3)) {
      let received = Clock.now
      first = first ?? received
      origin = frame.timestamp.monotonicNanoseconds - Int64(frame.sequence - 1) * interval
      guard received >= from else { continue }
      cpu = cpu ?? Clock.cpu
      guard received < until else { break }
      samples.add(received - frame.stages.dequeued)
      if let started = frame.stages.encodeStarted, let finished = frame.stages.encodeFinished {
        encodings.add(finished - started)
        waits.add(started - frame.stages.copied)
      }
    }
    let spent = Clock.cpu - (cpu ?? 0)
    samples.printResult(
      cpu: spent, isLate: (first ?? until) > from,
      [
        "origin": origin, "encode": encodings.percentile(50), "wait99": waits.percentile(99),
      ])
    await bus.close()
  }
}
