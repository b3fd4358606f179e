import ArgumentParser
import CameraClient

/// Subscribes from one agreed moment to another, like a user program that avoids hops between
/// threads.
struct SubscribeRole: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "subscribe", shouldDisplay: false)

  @Option var control: String
  @Option var stream: String
  @Option var from: Int64
  @Option var until: Int64
  @Option(help: "How many frames wait for the reader before the oldest is dropped.") var waiting = 3
  @Option(help: "The folder of the node's keys; for a node without keys nothing.") var keys: String?
  @Option(help: "Between two frames, nanoseconds.") var interval: Int64 = 0

  func run() async throws {
    guard let stream = FrameStream(stream) else { throw ValidationError("no stream") }
    let credentials = try keys.map { folder in
      // The node's own key may do everything.
      let file = "\(folder)/node.key_secret"
      return try Credentials(keyFile: file, nodeKeyFile: file)
    }
    let bus = try CameraBus(control, configuration: .init(credentials: credentials))
    try await withTaskExecutorPreference(bus.executor) {
      try await follow(bus.camera("cam"), stream)
    }
    await bus.close()
  }

  private func follow(_ camera: Camera, _ stream: FrameStream) async throws {
    // Allocate and touch the memory for all frames beforehand, so that taking notes does not affect
    // the measurement.
    var arrivals = Array(repeating: Arrival(), count: 100_000)
    arrivals.removeAll(keepingCapacity: true)
    // Reading an option takes long, so read each one only once.
    let (from, until, interval) = (from, until, interval)
    var (cpu, first): (Int64?, Int64?)
    // When the node got its first frame.
    var origin: Int64 = 0
    for try await frame in camera.frames(stream, policy: .newest(waiting)) {
      let received = Clock.now
      first = first ?? received
      origin = frame.timestamp.monotonic.nanoseconds - Int64(frame.sequence - 1) * interval
      guard received >= from else { continue }
      cpu = cpu ?? Clock.cpu
      guard received < until else { break }
      arrivals.append(Arrival(frame.stages, at: received))
    }
    let spent = Clock.cpu - (cpu ?? 0)
    let encoded = arrivals.filter { $0.encoded > $0.encoding }
    let stages: KeyValuePairs<String, Int64> = [
      "origin": origin,
      "encode": encoded.median { $0.encoded - $0.encoding },
      "wait99": encoded.samples { $0.encoding - $0.copied }.percentile(99),
      "copy": arrivals.median { $0.copied - $0.dequeued },
      "publish": arrivals.median { $0.sent - $0.encoded },
      "transport": arrivals.median { $0.received - $0.sent },
      "hand-over": arrivals.median { $0.taken - $0.received },
    ]
    arrivals.samples { $0.taken - $0.dequeued }.printResult(
      cpu: spent, isLate: (first ?? until) > from, stages)
  }
}

/// When a frame passed each stage, up to the reader's code.
private struct Arrival {
  var (dequeued, copied, sent, received, taken): (Int64, Int64, Int64, Int64, Int64) = (
    0, 0, 0, 0, 0
  )
  /// Both are the end of the copy if nothing is encoded.
  var (encoding, encoded): (Int64, Int64) = (0, 0)

  init() {}

  init(_ stages: FrameStages, at taken: Int64) {
    (dequeued, copied) = (stages.dequeued.nanoseconds, stages.copied.nanoseconds)
    (sent, received) = (stages.sent.nanoseconds, stages.received.nanoseconds)
    self.taken = taken
    encoding = stages.encodeStarted?.nanoseconds ?? copied
    encoded = stages.encodeFinished?.nanoseconds ?? copied
  }
}

extension [Arrival] {
  fileprivate func samples(_ length: (Arrival) -> Int64) -> Samples {
    var samples = Samples(capacity: count)
    for arrival in self { samples.add(length(arrival)) }
    return samples
  }

  fileprivate func median(_ length: (Arrival) -> Int64) -> Int64 {
    samples(length).percentile(50)
  }
}
