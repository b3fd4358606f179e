import Foundation
import OperatingSystem
import TestSupport

/// A program of this build, which a test runs to its end.
struct Program: Sendable {
  struct Outcome: Sendable {
    var status: Int32
    var output: String
    var errors: String
  }

  let name: String

  /// The build puts all programs beside the test bundle.
  static var folder: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }

  private var url: URL { Self.folder.appendingPathComponent(name) }

  /// - Parameters:
  ///   - environment: Added to this process's own.
  ///   - folder: The working directory.
  ///   - script: As for ``start(_:environment:in:script:isJournal:)``.
  func run(
    _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil,
    script: String? = nil
  ) async throws -> Outcome {
    try await start(arguments, environment: environment, in: folder, script: script).outcome()
  }

  /// Starts the program. The caller may signal it before it waits for the outcome.
  /// - Parameters:
  ///   - script: A script of bash that runs the program as `"$@"`, to choose its standard streams.
  ///   - isJournal: Whether the standard error is the journal's, as under systemd.
  func start(
    _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil,
    script: String? = nil, isJournal: Bool = false
  ) throws -> Running {
    let process = Process()
    // This process ignores SIGPIPE once a test has used NIO, and its children would too.
    process.executableURL = URL(filePath: "/usr/bin/env")
    let program = script.map { ["/bin/bash", "-c", $0, "bash", url.path] } ?? [url.path]
    process.arguments = ["--default-signal=PIPE"] + program + arguments
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return try Running(process, isJournal: isJournal)
  }

  /// A program that was started.
  // @unchecked: any thread may signal a process while another waits for it.
  final class Running: @unchecked Sendable {
    private let process: Process
    private let output = Pipe()
    private let errors = Pipe()

    init(_ process: Process, isJournal: Bool) throws {
      self.process = process
      if isJournal {
        let status = try FileStatus(descriptor: errors.fileHandleForWriting.fileDescriptor)
        process.environment?["JOURNAL_STREAM"] = status.identity.deviceAndInode
      }
      process.standardOutput = output
      process.standardError = errors
      try process.run()
    }

    var processID: Int32 { process.processIdentifier }

    /// Sends the signal of Ctrl-C.
    func interrupt() { process.interrupt() }

    /// Waits until the program has written some output, and takes it.
    @discardableResult
    func waitForOutput() throws -> String {
      String(decoding: try output.someBytes(), as: UTF8.self)
    }

    /// Waits until the program has written this text to its standard error, and drops all before.
    func waitForError(_ text: String) throws {
      var errors = ""
      while !errors.contains(text) {
        let data = try self.errors.someBytes()
        if data.isEmpty { return }
        errors += String(decoding: data, as: UTF8.self)
      }
    }

    /// Reads some of the output and closes the pipe.
    func closeOutputAfterSome() {
      _ = try? output.someBytes()
      try? output.fileHandleForReading.close()
    }

    /// Waits for the program's end. A cancelled task terminates the program.
    func outcome() async throws -> Outcome {
      await withTaskCancellationHandler {
        await finished()
      } onCancel: {
        process.terminate()
      }
    }

    private func finished() async -> Outcome {
      await withCheckedContinuation { continuation in
        // Each pipe is read to its end by a thread of its own, so that neither can fill up.
        DispatchQueue.global().async {
          let texts = Texts()
          DispatchQueue.concurrentPerform(iterations: 2) { index in
            let pipe = index == 0 ? self.output : self.errors
            let data = try? pipe.allBytes()
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

  /// The texts that two threads read.
  // @unchecked: the lock guards the texts.
  private final class Texts: @unchecked Sendable {
    private let lock = NSLock()
    private var texts = ["", ""]

    func set(_ text: String, _ index: Int) { lock.withLock { texts[index] = text } }
    func get(_ index: Int) -> String { lock.withLock { texts[index] } }
  }
}
