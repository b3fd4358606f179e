/// Counts the allocations per frame once everything is warm, with a library that replaces malloc.
/// The count includes libzmq's own allocations, which the floor makes too.
struct Allocations: Benchmark {
  let name = "allocations"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    let measurement = StreamMeasurement(
      picture: .small, rate: 100, transport: .tcp, countsAllocations: true)
    return try await compare(
      workplace, "a 200 kB frame",
      [
        Metric(key: "publisher allocations", name: "node", unit: "calls"),
        Metric(key: "subscriber allocations", name: "client", unit: "calls"),
      ],
      ours: { try measurement.ours(workplace) }, floor: { try measurement.floor(workplace) })
  }
}
