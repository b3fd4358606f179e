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
    try await start(arguments, environment: environment).outcome()
  }

  /// Starts the program, which the caller may signal before it waits for the outcome.
  func start(_ arguments: [String], environment: [String: String] = [:]) throws -> Running {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return try Running(process)
  }

  /// A program that was started.
  // @unchecked: a process may be signalled by any thread while another waits for it.
  final class Running: @unchecked Sendable {
    private let process: Process
    private let output = Pipe()
    private let errors = Pipe()

    fileprivate init(_ process: Process) throws {
      self.process = process
      process.standardOutput = output
      process.standardError = errors
      try process.run()
    }

    /// What Ctrl-C does.
    func interrupt() { process.interrupt() }

    /// Reads as much of the output as there is at once, and no more of it ever.
    func closeOutputAfterSome() {
      _ = output.fileHandleForReading.availableData
      try? output.fileHandleForReading.close()
    }

    /// Waits for the end, which a cancellation brings about.
    func outcome() async throws -> Outcome {
      await withTaskCancellationHandler {
        await finished()
      } onCancel: {
        process.terminate()
      }
    }

    private func finished() async -> Outcome {
      await withCheckedContinuation { continuation in
        // Both are read to their ends before the wait, each on a thread of its own: neither pipe
        // can fill up.
        DispatchQueue.global().async {
          let texts = Texts()
          DispatchQueue.concurrentPerform(iterations: 2) { index in
            let pipe = index == 0 ? self.output : self.errors
            let data = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
            texts.set(String(decoding: data ?? Data(), as: UTF8.self), index)
          }
          self.process.waitUntilExit()
          let status = self.process.terminationStatus
          continuation.resume(
            returning: Outcome(status: status, output: texts.get(0), errors: texts.get(1)))
        }
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
