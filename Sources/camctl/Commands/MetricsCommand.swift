import ArgumentParser
import CameraClient
import CameraRig
import Reports

/// Prints what Prometheus learns of nodes.
struct MetricsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Prints how the nodes and their cameras are, for Prometheus.",
    discussion: """
      It is the text format of Prometheus, for the textfile collector of the node exporter, which reads whole files:
        camctl metrics --all > cameras.prom.new && mv cameras.prom.new cameras.prom
      A node that does not answer has camerabus_node_up 0 and nothing else, and that is no failure. camweb serves the same and more at /metrics.
      """)

  @OptionGroup var options: NodesOptions

  func validate() throws {
    if options.json {
      throw ValidationError("metrics are no JSON: camctl status --json has the same figures")
    }
  }

  func run() async throws {
    let statuses = try await options.statuses().map { ($0.name, $0.status) }
    // The line's end is added.
    StandardOutput.write(painted: String(NodeMetrics.families(of: statuses).text.dropLast()))
  }
}
