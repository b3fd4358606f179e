import Foundation

/// A child process and its output, line by line. The process is killed when the last reference
/// goes.
final class Child {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let process = Process()
  private let output = Pipe()
  private var pending = Data()
  private let program: String

  init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    self.program = ([URL(fileURLWithPath: program).lastPathComponent] + arguments)
      .joined(separator: " ")
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    end()
  }

  var identifier: Int32 { process.processIdentifier }

  /// Kills the process and waits for its end. It uses SIGKILL because processes started by
  /// Foundation may block other signals.
  func end() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The next line of the process's output.
  func line() throws -> String {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending = Data(pending[(end + 1)...])
        return line
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Failure(description: "\(program): ended without a result") }
      pending += more
    }
  }

  /// Waits for the result line, `result name=number…`, which the process prints at its end.
  func result() throws -> [String: Double] {
    let line = try line()
    let words = line.split(separator: " ")
    guard words.first == "result" else { throw Failure(description: "\(program): \(line)") }
    var numbers: [String: Double] = [:]
    for word in words.dropFirst() {
      let parts = word.split(separator: "=")
      if parts.count == 2 { numbers[String(parts[0])] = Double(parts[1]) }
    }
    return numbers
  }

  /// The process's resident memory, bytes.
  var memory: Double {
    let text = (try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) * 1024
  }
}
