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
    // One place in memory for each frame: what is measured is not what is noted.
    var arrivals: [Arrival] = []
    arrivals.reserveCapacity(100_000)
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
      arrivals.append(Arrival(received: received, stages: frame.stages))
    }
    let spent = Clock.cpu - (cpu ?? 0)
    let encoded = arrivals.filter { $0.stages.encodeStarted != nil }
    arrivals.samples { $0.received - $0.stages.dequeued }.printResult(
      cpu: spent, isLate: (first ?? until) > from,
      [
        "origin": origin,
        "encode": encoded.median { $0.finished - $0.started },
        "wait99": encoded.samples { $0.started - $0.stages.copied }.percentile(99),
        "copy": arrivals.median { $0.stages.copied - $0.stages.dequeued },
        "publish": arrivals.median { $0.stages.sent - $0.finished },
        "transport": arrivals.median { $0.stages.received - $0.stages.sent },
        "hand-over": arrivals.median { $0.received - $0.stages.received },
      ])
  }
}

/// A frame that was received, and when it came to the reader's code.
private struct Arrival {
  var received: Int64
  var stages: FrameStages

  /// The end of the encoding, or of the copy where nothing is encoded.
  var finished: Int64 { stages.encodeFinished ?? stages.copied }
  var started: Int64 { stages.encodeStarted ?? stages.copied }
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
