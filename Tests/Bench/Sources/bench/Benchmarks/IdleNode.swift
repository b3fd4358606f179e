/// A camera that streams, and nobody who wants its frames.
struct IdleNode: Benchmark {
  let name = "idle"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    try await compare(
      workplace, "YUYV 1080p30, nobody subscribed",
      [
        Metric(key: "cpu", name: "CPU", unit: "% of a core", target: .atMost(1)),
        Metric(key: "encoded", name: "encoded", unit: "pictures", target: .atMost(0)),
      ],
      ours: {
        let node = try Node(workplace, .yuyv, rate: 30)
        let from = Clock.now + 1_500_000_000
        let length = Int64(2 * workplace.seconds * 1e9)
        Clock.sleep(until: from)
        let before = Clock.cpu(of: node.child.identifier)
        Clock.sleep(until: from + length)
        let spent = Clock.cpu(of: node.child.identifier) - before
        let status = try Child(
          workplace.bench, ["request", "--control=\(node.control)", "--rounds=10"]
        ).result()
        return [
          "cpu": 100 * Double(spent) / Double(length), "encoded": status["encoded"] ?? .nan,
        ]
      })
  }
}
