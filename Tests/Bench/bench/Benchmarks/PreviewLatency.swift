/// Measures the time from the driver's full buffer to the subscriber's code. At 100 frames a second
/// the caches are cold on both sides, and the bus has more code to fetch than the floor. At 1000
/// frames a second only the work counts.
struct PreviewLatency: Benchmark {
  let name = "preview-latency"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    var rows: [Row] = []
    for transport in workplace.transports {
      for (picture, rate) in [(Picture.small, 100), (.small, 1000), (.large, 100), (.raw, 30)]
      where !workplace.isShort || picture.name != Picture.large.name {
        let measurement = StreamMeasurement(
          picture: picture, rate: rate, transport: transport,
          seconds: workplace.latencySeconds(rate: rate))
        rows += try await compare(
          workplace, "\(picture.name) \(transport), \(rate)/s",
          [
            Metric(
              key: "p50", name: "p50", unit: "µs", scale: 1000, target: .ratioAtMost(1.3)),
            Metric(
              key: "p99", name: "p99", unit: "µs", scale: 1000, target: .ratioAtMost(1.5)),
            Metric(
              key: "publisher", name: "node's CPU a frame", unit: "µs", scale: 1000,
              target: .ratioAtMost(1.4)),
            Metric(
              key: "subscriber", name: "client's CPU a frame", unit: "µs", scale: 1000,
              target: .ratioAtMost(1.4)),
          ],
          ours: { try measurement.ours(workplace) }, floor: { try measurement.floor(workplace) })
      }
    }
    return rows
  }
}
