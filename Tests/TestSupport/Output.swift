package import Foundation
import Glibc
import OperatingSystem

/// Runs a program and returns its standard output. Its standard error appears in the output of the
/// tests.
/// - Throws: `ProgramFailure`, or the error of starting the program.
@discardableResult
package func output(of program: String, _ arguments: [String]) throws -> Data {
  let (process, output) = (Process(), Pipe())
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.standardOutput = output
  try process.run()
  let bytes = try output.allBytes()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw ProgramFailure(
      program: program, arguments: arguments, status: process.terminationStatus)
  }
  return bytes
}

extension Pipe {
  /// Waits for bytes and takes them; empty at the end. `FileHandle` traps if a signal interrupts
  /// it.
  package func someBytes() throws -> Data {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = try systemCall("read a pipe") {
      unsafe read(fileHandleForReading.fileDescriptor, &bytes, bytes.count)
    }
    return Data(bytes[..<count])
  }

  /// Reads until the writers have closed the pipe.
  package func allBytes() throws -> Data {
    var all = Data()
    while case let some = try someBytes(), !some.isEmpty { all += some }
    return all
  }
}
