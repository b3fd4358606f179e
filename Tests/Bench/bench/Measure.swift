import ArgumentParser
import Foundation

/// Runs the benchmarks and prints the table.
struct Measure: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Measures, and prints a table.")

  @Option(help: "The node's program, a release build.") var camerad: String
  @Option(help: "Rounds, in turn with the floor; medians are shown.") var rounds: Int?
  @Option(help: "One of: \(Self.all.map(\.name).joined(separator: ", ")).") var only: [String] = []
  @Flag(help: "Few rounds; fails only on gross regressions.") var short = false
  @Flag(help: "Print JSON instead of the table.") var json = false

  private static let all: [any Benchmark] = [
    PreviewLatency(), PreviewThroughput(), ManySubscribers(), StalledSubscriber(), RoundTrip(),
    CaptureNow(), Encoding(), PhotoFiles(), Download(), FirstFrame(), IdleNode(), SteadyMemory(),
    Allocations(),
    Curve(),
  ]

  func validate() throws {
    for name in only where !Self.all.contains(where: { $0.name == name }) {
      throw ValidationError("there is no benchmark \(name): see bench measure --help")
    }
  }

  func run() async throws {
    let bench = try Workplace(
      camerad: camerad, rounds: rounds ?? (short ? 3 : 7), isShort: short)
    let machine = try Machine(bench)
    var rows: [Row] = []
    var hasFailed = false
    for benchmark in Self.all where only.isEmpty || only.contains(benchmark.name) {
      note("\(benchmark.name)…")
      do {
        rows += try await benchmark.rows(bench)
      } catch {
        // Continue with the other benchmarks.
        note("  failed: \(error)")
        hasFailed = true
      }
    }
    let report = Report(machine: machine, rounds: bench.rounds, rows: rows)
    print(json ? try report.json() : report.table(isShort: short))
    if hasFailed || short && rows.contains(where: \.isGross) { throw ExitCode.failure }
  }
}

/// Prints progress to standard error, apart from the table.
func note(_ text: String) {
  FileHandle.standardError.write(Data("\(text)\n".utf8))
}
