import Foundation

/// Describes the machine of a measurement.
struct Machine: Codable {
  var cores: Int
  var processor: String
  var kernel: String
  var libzmq: String
  /// The load average over one minute, before the first measurement. Above 0, other programs were
  /// running too.
  var load: Double
  var date: Date

  init(_ workplace: Workplace) throws {
    cores = ProcessInfo.processInfo.activeProcessorCount
    processor = Self.line(of: "/proc/cpuinfo", named: "model name") ?? "unknown"
    kernel = try Self.text("/proc/sys/kernel/osrelease")
    libzmq = try Child(workplace.floor, ["version"]).line()
    load = Double(try Self.text("/proc/loadavg").prefix { $0 != " " }) ?? .nan
    date = Date()
  }

  var lines: [String] {
    [
      "\(cores) cores of \(processor), Linux \(kernel), libzmq \(libzmq)",
      "load average before: \(load); \(date.formatted(.iso8601))",
    ]
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func line(of path: String, named name: String) -> String? {
    (try? text(path))?.split(separator: "\n").first { $0.hasPrefix(name) }?
      .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
  }
}
