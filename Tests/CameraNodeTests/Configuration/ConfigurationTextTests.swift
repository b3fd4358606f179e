import OperatingSystem
import TestSupport
import Testing

@testable import CameraNode

struct ConfigurationTextTests {
  @Test func `A pipe is read to its end, not only what one read returns`() async throws {
    let folder = try TemporaryFolder()
    let pipe = try folder.makePipe("camerad.yaml")
    // A pipe holds 64 KiB (pipe(7)), so no single read returns all of it.
    let text = String(repeating: "# a comment\n", count: 20_000) + "name: left\n"
    let writing = Task.detached {
      var file = try FileWriter(pipe, overwrites: false, Interrupter())
      try file.write(unsafe Array(text.utf8).span.bytes)
      try file.commit()
    }
    #expect(try ConfigurationText.read(pipe, as: "camerad.yaml") == text)
    try await writing.value
  }
}
