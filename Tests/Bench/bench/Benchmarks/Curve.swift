/// Measures streams that are encrypted, beside bare libzmq that encrypts too.
struct Curve: Benchmark {
  let name = "curve"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    var rows: [Row] = []
    for (picture, rate) in [(Picture.small, 100), (.small, 1000), (.raw, 30)] {
      let measurement = StreamMeasurement(
        picture: picture, rate: rate, transport: .curve,
        seconds: workplace.latencySeconds(rate: rate))
      rows += try await compare(
        workplace, "\(picture.name), \(rate)/s",
        [
          Metric(key: "p50", name: "p50", unit: "µs", scale: 1000, target: .ratioAtMost(1.3)),
          Metric(key: "p99", name: "p99", unit: "µs", scale: 1000, target: .ratioAtMost(1.5)),
          Metric(
            key: "publisher", name: "node's CPU a frame", unit: "µs", scale: 1000,
            target: .ratioAtMost(1.3)),
          Metric(
            key: "subscriber", name: "client's CPU a frame", unit: "µs", scale: 1000,
            target: .ratioAtMost(1.3)),
        ],
        ours: { try measurement.ours(workplace) }, floor: { try measurement.floor(workplace) })
    }
    for (picture, rate) in [(Picture.small, 10_000), (.raw, 500)] {
      let measurement = StreamMeasurement(
        picture: picture, rate: rate, transport: .curve, waiting: 64)
      rows += try await compare(
        workplace, "\(picture.name), as many as go",
        [Metric(key: "rate", name: "", unit: "frames/s", target: .ratioAtLeast(0.77))],
        ours: { try measurement.ours(workplace) }, floor: { try measurement.floor(workplace) })
    }
    return rows
  }
}
