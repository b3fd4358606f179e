import Capture
import Foundation
import OperatingSystem
import TestSupport
import Testing

@testable import CaptureV4L2

@Suite struct NodeHoldersTests {
  @Test("A program that has a node open is named until it ends, but only by a look-up")
  func holder() throws {
    let folder = try TemporaryFolder()
    let node = try folder.write("", to: "video0")
    #expect(NodeHolders(of: node).holders.isEmpty)
    #expect(NodeHolders(of: node).remedy.contains("fuser -v \(node)"))

    let (program, input, output) = (Process(), Pipe(), Pipe())
    program.executableURL = URL(filePath: "/bin/sh")
    program.arguments = ["-c", "exec 3<\(node); echo open; read line"]
    (program.standardInput, program.standardOutput) = (input, output)
    try program.run()
    #expect(try output.someBytes() == Data("open\n".utf8))

    let found = NodeHolders(of: node)
    #expect(found.holders == [.init(processID: Int(program.processIdentifier), name: "sh")])
    let words = "sh (process \(program.processIdentifier)) has it open"
    #expect(found.remedy.contains(words))
    let cause = SystemError(errno: EBUSY, operation: "VIDIOC_REQBUFS")
    let error = #expect(throws: CaptureError.self) {
      try onDevice(at: node) { () throws(SystemError) in throw cause }
    }
    #expect(error?.message.contains(words) == true)
    #expect(!CaptureError(cause, on: node).message.contains("sh (process"))

    try input.fileHandleForWriting.close()
    program.waitUntilExit()
    #expect(NodeHolders(of: node).holders.isEmpty)
  }

  @Test func `A holder that the system hides has advice for a user who sees it`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("", to: "7/comm")
    let some = NodeHolders(of: "/dev/video7", in: folder.path)
    #expect(some.remedy.contains("sudo fuser -v /dev/video7"), "/proc hides process 1")
    _ = try folder.write("", to: "1/comm")
    let all = NodeHolders(of: "/dev/video7", in: folder.path)
    #expect(all.remedy.contains("find it with fuser -v /dev/video7"))
  }
}
