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
          Metric.latency(cpu: 1.4),
          ours: { try measurement.ours(workplace) }, floor: { try measurement.floor(workplace) })
      }
    }
    return rows
  }
}
