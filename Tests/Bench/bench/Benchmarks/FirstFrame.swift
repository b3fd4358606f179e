/// Measures the time from the start of the node's process to its first frame, and until it is
/// ready.
struct FirstFrame: Benchmark {
  let name = "first-frame"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    try await compare(
      workplace, "",
      [
        Metric(key: "frame", name: "first frame", unit: "ms", scale: 1e6, target: .atMost(150)),
        Metric(key: "ready", name: "ready", unit: "ms", scale: 1e6),
      ],
      ours: {
        let node = try Node(workplace, .small, rate: 100)
        // Computes the first frame's time from any later frame, because the camera's ticks are
        // exact.
        let numbers = try Child(
          workplace.bench,
          [
            "subscribe", "--control=\(node.control)", "--stream=full", "--interval=10000000",
            "--from=0", "--until=\(Clock.now + 300_000_000)",
          ]
        ).result()
        return [
          "frame": (numbers["origin"] ?? .nan) - Double(node.started),
          "ready": Double(node.ready - node.started),
        ]
      })
  }
}
