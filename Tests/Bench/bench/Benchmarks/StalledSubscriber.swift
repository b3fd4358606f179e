/// Measures seven subscribers that read while an eighth does not.
struct StalledSubscriber: Benchmark {
  let name = "stalled-subscriber"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    let measurement = StreamMeasurement(
      picture: .small, rate: 30, transport: .tcp, subscribers: 7, hasStalled: true,
      seconds: workplace.latencySeconds(rate: 30))
    return try await compare(
      workplace, "7 of 8 × 200 kB tcp", ManySubscribers.metrics,
      ours: { try measurement.ours(workplace) }, floor: { try measurement.floor(workplace) })
  }
}
