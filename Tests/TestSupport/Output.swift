package import Foundation

/// A program's standard output; what it says on its standard error is seen among what the tests say.
/// - Throws: `ProgramFailure`, or why it could not be run.
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
