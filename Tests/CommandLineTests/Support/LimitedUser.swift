import Foundation
import TestSupport
import Testing

/// A user of this machine that runs no other program, and how many threads it may have.
struct LimitedUser: Sendable {
  private let id = UInt32.random(in: 200_000..<2_000_000)

  /// Only root can become another user, who must be able to run the programs.
  static let isPossible =
    geteuid() == 0
    && (try? LimitedUser().run(["test", "-x", Program.folder.appending(path: "camerad").path])) == 0

  /// A script that runs a program as this user. The leak sanitizer would need a thread more at the
  /// program's end, and fails the program without one; the other sanitizers stay.
  func script(threads: Int) -> String {
    "ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 "
      + "exec setpriv --reuid \(id) --regid \(id) --clear-groups prlimit --nproc=\(threads): \"$@\""
  }

  /// Gives a folder to the user.
  func own(_ folder: TemporaryFolder) throws {
    try FileManager.default.setAttributes(
      [.ownerAccountID: NSNumber(value: id)], ofItemAtPath: folder.path)
  }

  /// Limits a program that runs.
  func limit(_ process: Int32, threads: Int) throws {
    try #require(try run(["prlimit", "--pid", "\(process)", "--nproc=\(threads):"]) == 0)
  }

  /// - Returns: The command's exit status.
  private func run(_ command: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/setpriv")
    process.arguments = ["--reuid", "\(id)", "--regid", "\(id)", "--clear-groups"] + command
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
