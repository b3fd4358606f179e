/// Measures how much memory grows over 20 000 frames, once everything is warm.
struct SteadyMemory: Benchmark {
  let name = "memory"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    let (rate, warm, measured) = (1000, 3.0, workplace.isShort ? 3.0 : 20.0)
    let node = try Node(workplace, .small, rate: rate)
    let from = Clock.now + Int64(warm * 1e9)
    let until = from + Int64(measured * 1e9)
    let client = try Child(
      workplace.bench,
      [
        "subscribe", "--control=\(node.control)", "--stream=full", "--from=\(from)",
        "--until=\(until + 500_000_000)",
      ])
    note("  memory over \(Int(measured)) s")
    Clock.sleep(until: from)
    let before = (node.child.memory, client.memory)
    Clock.sleep(until: until)
    let after = (node.child.memory, client.memory)
    _ = try client.result()
    let frames = "\(Int(measured) * rate) frames"
    return [("node", before.0, after.0), ("client", before.1, after.1)].flatMap {
      [
        Row(benchmark: name, name: "\($0) after \(frames)", unit: "MB", ours: $2 / 1e6),
        Row(
          benchmark: name, name: "\($0), growth over \(frames)", unit: "MB",
          ours: ($2 - $1) / 1e6, target: .atMost(1)),
      ]
    }
  }
}
