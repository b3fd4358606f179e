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
        Metric.latency(cpu: 1.3),
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
