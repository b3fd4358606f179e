import CameraClient
import Words

/// Measures frames as they come.
struct StreamMeter {
  private static let latencies: [(name: String, of: @Sendable (FrameStages) -> Duration?)] = [
    ("capture", { $0.capture }), ("copy", { $0.copy }), ("encodeWait", { $0.encodeWait }),
    ("encode", { $0.encode }), ("publish", { $0.publish }), ("transport", { $0.transport }),
    ("total", { $0.total }),
  ]

  private(set) var frames = 0
  private(set) var bytes: UInt64 = 0
  private(set) var stages = latencies.map { (name: $0.name, latencies: Percentiles()) }
  private var time: (first: MonotonicInstant, last: MonotonicInstant)?

  mutating func add(_ frame: CameraFrame) {
    let stages = frame.stages
    time = (time?.first ?? stages.received, stages.received)
    frames += 1
    bytes += UInt64(frame.byteCount)
    for (index, stage) in Self.latencies.enumerated() {
      if let latency = stage.of(stages) { self.stages[index].latencies.add(latency) }
    }
  }

  /// From the first frame to the last.
  var duration: Duration { time.map { $0.last - $0.first } ?? .zero }

  /// Frames a second; nil before there are two.
  var rate: Double? {
    frames > 1 && duration > .zero ? Double(frames - 1) / (duration / .seconds(1)) : nil
  }

  /// The longest form that fits.
  func words(losses: LossCounters, columns: Int) -> String {
    let total = stages[stages.count - 1].latencies
    let latency = total.value(at: 0.5).map(\.words) ?? "-"
    let tail = total.value(at: 0.99).map(\.words) ?? "-"
    let beginning = "\(frames.counted("frame")), \((rate ?? 0).rounded(to: 1))/s"
    let forms = [
      "\(beginning), latency p50 \(latency) p99 \(tail), lost: \(losses.notPublished) not published, "
        + "\(losses.lostOnBus) on the bus, \(losses.droppedByClient) here",
      "\(beginning), latency p50 \(latency) p99 \(tail), lost \(losses.total)",
      "\(beginning), latency \(latency), lost \(losses.total)",
      "\(beginning), lost \(losses.total)",
      beginning,
    ]
    return forms.first { $0.count <= columns } ?? beginning
  }
}

/// The latest durations, for their percentiles.
struct Percentiles {
  private static let limit = 10_000

  private var values: [Duration] = []
  private var next = 0

  mutating func add(_ value: Duration) {
    if values.count < Self.limit { values.append(value) } else { values[next] = value }
    next = (next + 1) % Self.limit
  }

  /// The smallest value that this part of all values does not exceed (nearest rank); nil without
  /// values.
  func value(at part: Double) -> Duration? {
    guard !values.isEmpty else { return nil }
    let rank = (part * Double(values.count)).rounded(.up)
    return values.sorted()[max(0, Int(rank) - 1)]
  }
}
