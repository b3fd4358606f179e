/// The numbers of one measurement, by name.
typealias Numbers = [String: Double]

/// A benchmark. `--only` selects it by its name.
protocol Benchmark: Sendable {
  var name: String { get }
  func rows(_ workplace: Workplace) async throws -> [Row]
}

/// One number of a comparison, with its target.
struct Metric {
  var key: String
  var name: String
  var unit: String
  /// The measured number is divided by this to get the unit.
  var scale = 1.0
  var target: Row.Target?
}

extension Metric {
  /// What a stream's frames take, from the driver's buffer to the subscriber's code.
  /// - Parameter cpu: The most CPU time that a frame may take, in ratio to the floor's.
  static func latency(cpu: Double) -> [Metric] {
    func microseconds(_ key: String, _ name: String, _ ratio: Double) -> Metric {
      Metric(key: key, name: name, unit: "µs", scale: 1000, target: .ratioAtMost(ratio))
    }
    return [
      microseconds("p50", "p50", 1.3), microseconds("p99", "p99", 1.5),
      microseconds("publisher", "node's CPU a frame", cpu),
      microseconds("subscriber", "client's CPU a frame", cpu),
    ]
  }
}

extension Benchmark {
  /// Measures our side and the floor in turn, round by round.
  func compare(
    _ workplace: Workplace, _ title: String, _ metrics: [Metric],
    ours: () async throws -> Numbers, floor: (() async throws -> Numbers)? = nil
  ) async throws -> [Row] {
    var measured: [(ours: Numbers, floor: Numbers)] = []
    for round in 1...workplace.rounds {
      note("  \(title), round \(round)")
      measured.append((try await ours(), try await floor?() ?? [:]))
    }
    return metrics.map { metric in
      let ours = measured.compactMap { $0.ours[metric.key] }
      let floor = measured.compactMap { $0.floor[metric.key] }
      let ratios = measured.compactMap { round in
        round.ours[metric.key].flatMap { ours in round.floor[metric.key].map { ours / $0 } }
      }
      return Row(
        benchmark: name, name: [title, metric.name].filter { !$0.isEmpty }.joined(separator: ", "),
        unit: metric.unit, ours: ours.median / metric.scale,
        floor: floor.isEmpty ? nil : floor.median / metric.scale,
        ratio: ratios.isEmpty ? nil : ratios.median, target: metric.target,
        isSteady: metric.key != "p99")
    }
  }
}
