/// Measures a node whose camera streams while nobody subscribes.
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
        let share = share(of: node.child, workplace)
        let status = try Child(
          workplace.bench, ["request", "--control=\(node.control)", "--rounds=10"]
        ).result()
        return ["cpu": share, "encoded": status["encoded"] ?? .nan]
      },
      // The floor does the minimum: it wakes up and makes the one copy that keeps the past second.
      floor: {
        let publisher = try StreamMeasurement(picture: .yuyv, rate: 30, transport: .tcp)
          .floorPublisher(workplace)
        defer { publisher.end() }
        return ["cpu": share(of: publisher, workplace)]
      })
  }

  /// CPU time of a process, in per cent of a core.
  private func share(of child: Child, _ workplace: Workplace) -> Double {
    let from = Clock.now + 1_500_000_000
    let length = Int64(2 * workplace.seconds * 1e9)
    Clock.sleep(until: from)
    let before = Clock.cpu(of: child.identifier)
    Clock.sleep(until: from + length)
    return 100 * Double(Clock.cpu(of: child.identifier) - before) / Double(length)
  }
}
