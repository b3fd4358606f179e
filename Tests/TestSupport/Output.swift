package import Foundation

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
  let bytes = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw ProgramFailure(
      program: program, arguments: arguments, status: process.terminationStatus)
  }
  return bytes
}
