import Foundation
import OperatingSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ShellCommandTests {
  @Test func `A command gets its input, and its end is known`() throws {
    let folder = try TemporaryFolder()
    // More than a pipe holds.
    let input = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    let copy = try ShellCommand("cat > '\(folder.path)/copy'", input: input)
    #expect(copy.wait() == .status(0))
    let bytes = try FileDescriptor.openFile("\(folder.path)/copy").read(at: 0, count: 300_000)
    #expect(bytes == input)
    #expect(try ShellCommand("exit 7", input: []).wait() == .status(7))
    #expect(try ShellCommand("kill -TERM $$", input: []).wait() == .signal("TERM"))
    #expect(try ShellCommand("exec nosuchprogram 2>/dev/null", input: []).wait() == .status(127))
  }

  @Test func `A command that is killed ends with all that it has started`() throws {
    let folder = try TemporaryFolder()
    let pipe = try folder.makePipe("pipe")
    // Both hold the pipe open, which ends for its reader when both are gone.
    let command = try ShellCommand(
      "exec > '\(pipe)'; echo begun; sleep 1000 & sleep 1000", input: [])
    let reader = try #require(FileHandle(forReadingAtPath: pipe))
    #expect(reader.availableData == Data("begun\n".utf8))
    command.kill()
    #expect(try reader.readToEnd() ?? Data() == Data())
    #expect(command.wait() == .signal("KILL"))
    // Its number may be another process's now.
    command.kill()
  }
}
