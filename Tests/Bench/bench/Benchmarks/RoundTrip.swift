/// Measures a request for a camera's status and its reply.
struct RoundTrip: Benchmark {
  let name = "round-trip"

  func rows(_ workplace: Workplace) async throws -> [Row] {
    let rounds = workplace.isShort ? 1000 : 5000
    var rows: [Row] = []
    for transport in workplace.transports {
      rows += try await compare(
        workplace, "request \(transport)",
        [
          Metric(key: "p50", name: "p50", unit: "µs", scale: 1000, target: .ratioAtMost(2)),
          Metric(key: "p99", name: "p99", unit: "µs", scale: 1000),
        ],
        ours: {
          let node = try Node(workplace, .small, rate: 5, transport)
          return try Child(
            workplace.bench, ["request", "--control=\(node.control)", "--rounds=\(rounds)"]
          ).result()
        },
        floor: {
          let (answerer, endpoint) = try Self.answerer(workplace, transport, attachment: 0)
          defer { answerer.end() }
          return try Child(
            workplace.floor, ["ask", "--endpoint=\(endpoint)", "--rounds=\(rounds)"]
          ).result()
        })
    }
    return rows
  }

  /// Starts a bare ROUTER that answers every request with the length of a status reply and an
  /// attachment.
  static func answerer(
    _ workplace: Workplace, _ transport: Transport, attachment: Int
  ) throws -> (Child, endpoint: String) {
    let child = try Child(
      workplace.floor,
      [
        "answer", "--endpoint=\(transport.endpoint("floor", in: workplace.folder))", "--reply=320",
        "--attachment=\(attachment)",
      ])
    return (child, String(try child.line().dropFirst("ready ".count)))
  }
}
