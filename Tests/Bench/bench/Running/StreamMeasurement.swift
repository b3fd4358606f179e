import Foundation

/// Measures a stream of one picture at a fixed rate, from one publisher to some subscribers, each
/// in its own process. It measures between two agreed moments, so that starting and stopping do not
/// count.
struct StreamMeasurement {
  var picture: Picture
  var rate: Int
  var transport: Transport
  var subscribers = 1
  /// Whether one more subscriber never reads.
  var hasStalled = false
  /// How many frames may wait for the client's reader. The floor's reader reads every frame,
  /// however late.
  var waiting = 3
  /// How long to measure; nil for the workplace's default.
  var seconds: Double?
  /// Whether to count the processes' allocations.
  var countsAllocations = false

  private static let headerByteCount = 140

  /// Tells the floor whether to encrypt.
  private var curve: String { "--curve=\(transport == .curve ? 1 : 0)" }

  func ours(_ workplace: Workplace) throws -> Numbers {
    let counters = try AllocationCounters(workplace, isOn: countsAllocations)
    let node = try Node(
      workplace, picture, rate: rate, transport, environment: counters.environment("publisher"))
    return try measure(
      workplace, publisher: node.child, counters,
      stalledAt: node.frames, topic: "frame/cam/\(picture.stream)/"
    ) { from, until in
      try Child(
        workplace.bench,
        [
          "subscribe", "--control=\(node.control)", "--stream=\(picture.stream)", "--from=\(from)",
          "--until=\(until)", "--waiting=\(waiting)",
        ] + (node.keys.map { ["--keys=\($0)"] } ?? []),
        environment: counters.environment("subscriber"))
    }
  }

  func floor(_ workplace: Workplace) throws -> Numbers {
    let counters = try AllocationCounters(workplace, isOn: countsAllocations)
    let publisher = try floorPublisher(workplace, counters.environment("publisher"))
    let endpoint = String(try publisher.line().dropFirst("ready ".count))
    return try measure(
      workplace, publisher: publisher, counters, stalledAt: endpoint, topic: "frame/cam/full/"
    ) { from, until in
      try Child(
        workplace.floor,
        [
          "subscribe", "--endpoint=\(endpoint)", "--from=\(from)", "--until=\(until)", curve,
        ],
        environment: counters.environment("subscriber"))
    }
  }

  /// Starts the floor's publisher. It copies and sends from the start, even without subscribers.
  func floorPublisher(
    _ workplace: Workplace, _ environment: [String: String] = [:]
  ) throws -> Child {
    try Child(
      workplace.floor,
      [
        "publish", "--endpoint=\(transport.endpoint("floor", in: workplace.folder))",
        "--bytes=\(picture.byteCount)", "--rate=\(rate)",
        "--buffers=\(picture.buffers(rate: rate))",
        "--header=\(Self.headerByteCount)", curve,
      ], environment: environment)
  }

  private func measure(
    _ workplace: Workplace, publisher: Child, _ counters: AllocationCounters,
    stalledAt endpoint: String, topic: String,
    subscriber: (_ from: Int64, _ until: Int64) throws -> Child
  ) throws -> Numbers {
    // Wait until the node's ring is full. Until then each frame touches memory for the first time,
    // while the floor's memory is already touched.
    let warmUp = 1.5 + 0.08 * Double(subscribers)
    let from = Clock.now + Int64(warmUp * 1e9)
    let seconds = seconds ?? workplace.seconds
    let until = from + Int64(seconds * 1e9)
    let stalled =
      hasStalled
      ? try Child(
        workplace.floor, ["subscribe", "--endpoint=\(endpoint)", "--topic=\(topic)", "--stall=1"])
      : nil
    let children = try (0..<subscribers).map { _ in try subscriber(from, until) }
    Clock.sleep(until: from)
    let cpu = Clock.cpu(of: publisher.identifier)
    let before = (counters.count("publisher"), counters.count("subscriber"))
    Clock.sleep(until: until)
    let spent = Double(Clock.cpu(of: publisher.identifier) - cpu)
    let after = (counters.count("publisher"), counters.count("subscriber"))
    let results = try children.map { try $0.result() }
    stalled?.end()
    publisher.end()
    func all(_ key: String) -> [Double] { results.compactMap { $0[key] } }
    if all("late").reduce(0, +) > 0 { note("    a subscriber was late: the machine is loaded") }
    let frames = all("frames").reduce(0, +)
    // The frames of one subscriber, because each of them sees the same stream.
    let published = frames / Double(subscribers)
    return [
      "p50": all("p50").median, "p99": all("p99").median,
      "rate": published / seconds,
      "publisher": spent / frames, "subscriber": all("cpu").reduce(0, +) / frames,
      "publisher allocations": Double(after.0 - before.0) / published,
      "subscriber allocations": Double(after.1 - before.1) / frames,
    ]
  }
}
