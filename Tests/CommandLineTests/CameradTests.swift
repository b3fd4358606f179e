import CameraProtocol
import Foundation
import TestSupport
import Testing

/// `camerad` as people and systemd use it.
@Suite(.timeLimit(.minutes(3)))
struct CameradTests {
  private static let node = [
    "--camera", "cam=synthetic:320x240@10", "--control", "tcp://127.0.0.1:*", "--events",
    "tcp://127.0.0.1:*", "--frames", "tcp://127.0.0.1:*",
  ]

  @Test(arguments: ["camerad", "camctl"])
  func `Both programs print the version that the status reports`(name: String) async throws {
    let outcome = try await Program(name: name).run(["--version"])
    #expect(outcome.output == "\(name) \(Release.version)\n")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.status == 0)
  }

  @Test func `A right configuration is checked without a word and without opening anything`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "library: \(folder.path)/library\ncameras:\n  cam: v4l2:/dev/video77\n", to: "rig.yaml")
    let outcome = try await Program(name: "camerad").run(["--config", file, "--check-config"])
    #expect(outcome.errors.isEmpty && outcome.output.isEmpty)
    #expect(outcome.status == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/library"))
  }

  @Test func `Checking prints a line for each mistake in the file and the options`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "libary: /tmp\nlog: loud\ncameras:\n  cam: webcam\n", to: "rig.yaml")
    let outcome = try await Program(name: "camerad").run([
      "--config", file, "--check-config", "--control", "5570", "--camera", "b=auto",
    ])
    let lines = outcome.errors.lines
    try #require(lines.count == 4, "\(outcome.errors)")
    #expect(lines.allSatisfy { $0.hasPrefix("camerad: ") })
    for (line, hint) in zip(lines, ["rig.yaml:1", "rig.yaml:2", "rig.yaml:4", "--control 5570"]) {
      #expect(line.contains(hint))
    }
    #expect(outcome.status == 78)
    #expect(outcome.output.isEmpty)
  }

  @Test func `Checking options alone has the status of wrong usage`() async throws {
    let outcome = try await Program(name: "camerad").run(["--check-config", "--camera", "auto"])
    outcome.expectOneLine(of: "camerad", status: 64, remedy: "--camera NAME=auto")
  }

  /// The log of a node that ran and was stopped.
  private func log(_ options: [String], isJournal: Bool = false) async throws -> [Substring] {
    let folder = try TemporaryFolder()
    let program = try Program(name: "camerad").start(
      Self.node + ["--library", "\(folder.path)/library"] + options, isJournal: isJournal)
    program.waitForOutput()
    program.interrupt()
    let outcome = try await program.outcome()
    #expect(outcome.status == 0)
    return outcome.errors.lines
  }

  @Test func `The journal gets priorities, and no times of our own`() async throws {
    let lines = try await log(["-vvv"], isJournal: true)
    #expect(!lines.isEmpty)
    let line = /<[2-7]>[^<].*/
    #expect(lines.allSatisfy { $0.wholeMatch(of: line) != nil }, "\(lines)")
    #expect(!lines.contains { $0.contains(/\d\d:\d\d:\d\d/) || $0.contains("camerad:") })
    let other = try await log(["-vvv"])
    #expect(!other.isEmpty && other.allSatisfy { $0.contains(/\d\d:\d\d:\d\d/) }, "\(other)")
  }

  @Test func `The error that ends the program has the priority of an error in the journal`()
    async throws
  {
    let program = try Program(name: "camerad").start(["--camera", "auto"], isJournal: true)
    let outcome = try await program.outcome()
    #expect(outcome.errors.hasPrefix("<3>--camera auto has no name"))
    #expect(outcome.errors.lines.count == 1)
  }

  @Test func `A stream that is not the journal's gets no priorities`() async throws {
    let outcome = try await Program(name: "camerad").run(
      ["--camera", "auto"], environment: ["JOURNAL_STREAM": "1:2"])
    #expect(outcome.errors.hasPrefix("camerad: "))
  }

  @Test func `The level of the log comes from the file unless an option names another`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write("log: trace\n", to: "rig.yaml")
    #expect(try await !log(["--config", file]).isEmpty)
    #expect(try await log(["--config", file, "-q"]).isEmpty)
    #expect(try await log(["--config", file, "--log", "error"]).isEmpty)
    #expect(try await log([]).isEmpty)
  }
}
