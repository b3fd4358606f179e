import Foundation

/// One of the programs of this build, run to its end.
struct Program: Sendable {
  struct Outcome: Sendable {
    var status: Int32
    var output: String
    var errors: String
  }

  let name: String

  /// Beside the test bundle, where the build puts them all.
  private var url: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name)
  }

  /// - Parameter environment: added to this process's own.
  func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Outcome {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = url
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    return try await withCheckedThrowingContinuation { continuation in
      // Both are read to their ends before the wait, each on a thread of its own: neither pipe can fill up.
      DispatchQueue.global().async {
        do {
          try process.run()
        } catch {
          return continuation.resume(throwing: error)
        }
        let texts = Texts()
        DispatchQueue.concurrentPerform(iterations: 2) { index in
          let pipe = index == 0 ? output : errors
          texts.set(
            String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self), index)
        }
        process.waitUntilExit()
        continuation.resume(
          returning: Outcome(
            status: process.terminationStatus, output: texts.get(0), errors: texts.get(1)))
      }
    }
  }

  /// What two threads read.
  // @unchecked: the lock guards the texts.
  private final class Texts: @unchecked Sendable {
    private let lock = NSLock()
    private var texts = ["", ""]

    func set(_ text: String, _ index: Int) { lock.withLock { texts[index] = text } }
    func get(_ index: Int) -> String { lock.withLock { texts[index] } }
  }
}
