/// Measures one encoding and one copy for many subscribers, each in its own process.
struct ManySubscribers: Benchmark {
  let name = "many-subscribers"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    var rows: [Row] = []
    for count in workplace.isShort ? [8] : [8, 32] {
      let measurement = StreamMeasurement(
        picture: .small, rate: 30, transport: .tcp, subscribers: count,
        seconds: workplace.latencySeconds(rate: 30))
      rows += try await compare(
        workplace, "\(count) × 200 kB tcp", Self.metrics,
        ours: { try measurement.ours(workplace) }, floor: { try measurement.floor(workplace) })
    }
    return rows
  }

  static let metrics = [
    Metric(key: "p50", name: "p50", unit: "µs", scale: 1000, target: .ratioAtMost(1.3)),
    Metric(key: "p99", name: "p99", unit: "µs", scale: 1000, target: .ratioAtMost(1.5)),
    Metric(key: "rate", name: "each", unit: "frames/s", target: .ratioAtLeast(0.85)),
    Metric(
      key: "publisher", name: "node's CPU a delivery", unit: "µs", scale: 1000,
      target: .ratioAtMost(1.4)),
  ]
}
