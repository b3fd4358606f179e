/// Measures how many frames arrive when more are offered than the transport can carry.
struct PreviewThroughput: Benchmark {
  let name = "preview-throughput"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    var rows: [Row] = []
    for transport in workplace.transports {
      for (picture, rate) in [(Picture.small, 10_000), (.large, 5000), (.raw, 500)]
      where !workplace.isShort || picture.name != Picture.large.name {
        let measurement = StreamMeasurement(
          picture: picture, rate: rate, transport: transport, waiting: 64)
        rows += try await compare(
          workplace, "\(picture.name) \(transport)",
          [Metric(key: "rate", name: "", unit: "frames/s", target: .ratioAtLeast(0.85))],
          ours: { try measurement.ours(workplace) }, floor: { try measurement.floor(workplace) })
      }
    }
    return rows
  }
}
