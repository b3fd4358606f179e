import Foundation

/// One entrance for foreign bytes.
struct Fuzzer: Sendable {
  /// Reads the bytes as a program does, and traps where a promise is broken.
  let run: @Sendable (RawSpan) -> Void
  /// Inputs to begin with, beside those that the golden messages give.
  var seeds: @Sendable () throws -> [[UInt8]] = { [] }

  nonisolated(unsafe) static var chosen: Fuzzer?

  static let all: [String: Fuzzer] = [
    "framing": .framing, "request": .request, "reply": .reply, "publication": .publication,
    "topic": .topic, "admission": .admission, "certificate": .certificate,
    "invitation": .invitation, "nodes": .nodes,
    "configuration": .configuration, "jpeg": .jpeg, "movie": .movie, "peer": .peer,
  ]

  func writeSeeds(to folder: String) throws {
    for (number, seed) in try seeds().enumerated() {
      try Data(seed).write(to: URL(filePath: "\(folder)/seed-\(number)"))
    }
  }
}
