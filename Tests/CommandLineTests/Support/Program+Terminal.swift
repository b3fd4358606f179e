import Foundation

extension Program {
  /// Runs a shell command in a terminal, with the programs of this build on its path.
  /// - Parameter typing: What is typed. It should end the command.
  /// - Returns: What the terminal shows.
  static func inTerminal(
    _ command: String, typing text: String, environment: [String: String]
  ) async throws -> String {
    let typed = Pipe()
    try typed.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/script")
    process.arguments = ["--quiet", "--return", "--command", command, "/dev/null"]
    process.standardInput = typed
    let own = ProcessInfo.processInfo.environment
    process.environment = own.merging(environment) { $1 }.merging([
      "PATH": "\(folder.path(percentEncoded: false)):\(own["PATH"] ?? "")", "TERM": "dumb",
    ]) { $1 }
    let outcome = try await Running(process, isJournal: false).outcome()
    // The input stays open until the command has ended; its end would hang up the terminal.
    try typed.fileHandleForWriting.close()
    return outcome.output
  }
}
