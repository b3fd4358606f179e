/// Seven who read beside one who does not.
struct StalledSubscriber: Benchmark {
  let name = "stalled-subscriber"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    let delivery = Delivery(
      picture: .small, rate: 30, transport: .tcp, subscribers: 7, hasStalled: true,
      seconds: workplace.latencySeconds(rate: 30))
    return try await compare(
      workplace, "7 of 8 × 200 kB tcp", ManySubscribers.metrics,
      ours: { try delivery.ours(workplace) }, floor: { try delivery.floor(workplace) })
  }
}
