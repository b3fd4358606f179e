/// What is allocated for each frame once all is warm, counted by a library that takes malloc's place in the process.
/// libzmq's own, which the floor makes too, are among them.
struct Allocations: Benchmark {
  let name = "allocations"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    let delivery = Delivery(
      picture: .small, rate: 100, transport: .tcp, countsAllocations: true)
    return try await compare(
      workplace, "a 200 kB frame",
      [
        Metric(key: "publisher allocations", name: "node", unit: "calls"),
        Metric(key: "subscriber allocations", name: "client", unit: "calls"),
      ],
      ours: { try delivery.ours(workplace) }, floor: { try delivery.floor(workplace) })
  }
}
