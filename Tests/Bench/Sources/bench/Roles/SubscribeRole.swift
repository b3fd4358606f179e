import ArgumentParser
import CameraClient

/// A subscriber as a user writes it who wants no hop between threads, from one agreed moment to another.
struct SubscribeRole: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "subscribe", shouldDisplay: false)

  @Option var control: String
  @Option var stream: String
  @Option var from: Int64
  @Option var until: Int64
  @Option(help: "Between two frames, nanoseconds.") var interval: Int64 = 0

  func run() async throws {
    guard let stream = FrameStream(stream) else { throw ValidationError("no stream") }
    let bus = try CameraBus(control)
    try await withTaskExecutorPreference(bus.executor) {
      try await follow(bus.camera("cam"), stream)
    }
    await bus.close()
  }

  private func follow(_ camera: Camera, _ stream: FrameStream) async throws {
    var (samples, encodings, waits) = (Samples(), Samples(), Samples())
    var (copies, publishing, transport, hand) = (Samples(), Samples(), Samples(), Samples())
    // An option is dear to read.
    let (from, until, interval) = (from, until, interval)
    var (cpu, first): (Int64?, Int64?)
    // When the node had its first frame.
    var origin: Int64 = 0
    for try await frame in camera.frames(stream, policy: .newest(3)) {
      let received = Clock.now
      first = first ?? received
      origin = frame.timestamp.monotonicNanoseconds - Int64(frame.sequence - 1) * interval
      guard received >= from else { continue }
      cpu = cpu ?? Clock.cpu
      guard received < until else { break }
      let stages = frame.stages
      samples.add(received - stages.dequeued)
      copies.add(stages.copied - stages.dequeued)
      publishing.add(stages.sent - (stages.encodeFinished ?? stages.copied))
      transport.add(stages.received - stages.sent)
      hand.add(received - stages.received)
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
        "copy": copies.percentile(50), "publish": publishing.percentile(50),
        "transport": transport.percentile(50), "hand-over": hand.percentile(50),
      ])
  }
}
