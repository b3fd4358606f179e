import CameraClient
import CameraNode
import Foundation
import TestSupport
import Testing

/// Devices and pipes in a file's place.
@Suite(.timeLimit(.minutes(5)))
struct PipeTests {
  @Test func `A pipe is written into and stays a pipe`() async throws {
    try await withNode { node, folder in
      let outcome = try await runWithReader(
        "record --camera left --duration 0.3 --output pipe", node.control, folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try folder.read("copy").starts(with: [0x1a, 0x45, 0xdf, 0xa3]))
      #expect(try folder.names == ["copy", "library", "pipe"])
    }
  }

  @Test func `A pipe takes all photos of a series, one after the other`() async throws {
    try await withNode { node, folder in
      let outcome = try await runWithReader(
        "capture --camera left --count 3 --output pipe --quiet", node.control, folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output == "pipe\npipe\npipe\n")
      #expect(Self.photos(in: try folder.read("copy")) == 3)
    }
  }

  @Test(arguments: ["-", "/dev/stdout"])
  func `The standard output takes all photos of a series and nothing else`(
    output: String
  ) async throws {
    try await withNode { node, folder in
      let outcome = try await Program(name: "camctl").run(
        ["capture", "--camera", "left", "--count", "3", "--output", output],
        environment: ["CAMERABUS_NODE": node.control], in: folder.path, script: "\"$@\" > copy")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let bytes = try folder.read("copy")
      #expect(Self.photos(in: bytes) == 3)
      // The end of the last photo is the end of all.
      #expect(bytes.suffix(2) == [0xff, 0xd9])
    }
  }

  @Test(.enabled(if: TemporaryFolder.canMakeDevices, "devices need root"))
  func `A device takes all photos of a series`() async throws {
    try await withNode { node, folder in
      let outcome = try await camctl(
        node.control, "capture", "--camera", "left", "--count", "3", "--output",
        try folder.makeNullDevice())
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.lines.count == 3)
    }
  }

  @Test func `Several assets of the library do not go into one pipe`() async throws {
    try await withNode { node, folder in
      let pipe = try folder.makePipe("pipe")
      for _ in 0..<2 {
        let photo = try await camctl(
          node.control, "capture", "--camera", "left", "--output", folder.path)
        #expect(photo.status == 0, "\(photo.errors)")
      }
      let outcome = try await camctl(node.control, "download", "--all", "--output", pipe)
      outcome.expectOneLine(of: "camctl", status: 64, remedy: "name a folder")
    }
  }

  @Test(arguments: [
    "capture --camera left", "capture --camera left --count 2",
    "record --camera left --duration 0.2", "download --latest",
  ])
  func `Ctrl-C ends what waits for the reader of a pipe, and the library has it`(
    verb: String
  ) async throws {
    try await withNode { node, folder in
      let pipe = try folder.makePipe("pipe")
      let bus = try CameraBus(node.control)
      _ = try await bus.camera("left").capture()
      let program = try Program(name: "camctl").start(
        verb.split(separator: " ").map(String.init) + ["--verbose", "--output", pipe],
        environment: ["CAMERABUS_NODE": node.control])
      try program.waitForError(verb.hasPrefix("capture") ? "SHA-256" : "fetching")
      program.interrupt()
      let outcome = try await program.outcome()
      #expect(outcome.status == 130)
      #expect(outcome.output.isEmpty)
      let asset = try #require(try await bus.assets().first)
      await bus.close()
      if !verb.hasPrefix("download") {
        #expect(
          outcome.errors.contains("is in the library: camctl download \(asset.id)"),
          "\(outcome.errors)")
      }
      #expect(outcome.errors.contains("camctl: interrupted"), "\(outcome.errors)")
    }
  }

  @Test func `Ctrl-C ends the reading of saved controls from a pipe`() async throws {
    let folder = try TemporaryFolder()
    let program = try Program(name: "camctl").start(
      ["controls", "load", "--verbose", try folder.makePipe("pipe")])
    try program.waitForError("the node is at")
    program.interrupt()
    let outcome = try await program.outcome()
    #expect(outcome.status == 130)
    #expect(outcome.errors.contains("camctl: interrupted"), "\(outcome.errors)")
  }

  @Test func `Saved controls follow links, keep modes and go through pipes`() async throws {
    try await withNode { node, folder in
      let file = try folder.write("old", to: "far/saved")
      let mode: NSNumber = 0o640
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      try folder.link("link", to: "far/saved")
      let save = ["controls", "save", "--camera", "left", "\(folder.path)/link"]
      let refused = try await Program(name: "camctl").run(
        save, environment: ["CAMERABUS_NODE": node.control])
      refused.expectOneLine(of: "camctl", status: 1, remedy: "--overwrite")
      #expect(try folder.read("far/saved") == Array("old".utf8))
      let saved = try await Program(name: "camctl").run(
        save + ["--overwrite"], environment: ["CAMERABUS_NODE": node.control])
      #expect(saved.status == 0, "\(saved.errors)")
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect(attributes[.posixPermissions] as? NSNumber == mode)
      #expect(try folder.names == ["far", "library", "link"])
      let piped = try await runWithReader(
        "controls save --camera left pipe", node.control, folder)
      #expect(piped.status == 0, "\(piped.errors)")
      #expect(try folder.read("copy") == folder.read("far/saved"))
    }
  }

  /// Runs a command in a folder with a named pipe, whose bytes go into the file `copy`.
  private func runWithReader(
    _ arguments: String, _ node: String, _ folder: TemporaryFolder
  ) async throws -> Program.Outcome {
    _ = try folder.makePipe("pipe")
    return try await Program(name: "camctl").run(
      arguments.split(separator: " ").map(String.init), environment: ["CAMERABUS_NODE": node],
      in: folder.path,
      script: "cat pipe > copy & \"$@\"; status=$?; wait; exit $status")
  }

  /// How many JPEG files follow one another.
  /// Each begins with its facts; the small pictures in them do not.
  private static func photos(in bytes: [UInt8]) -> Int {
    bytes.indices.dropLast(3).count(where: { bytes[$0...].starts(with: [0xff, 0xd8, 0xff, 0xe1]) })
  }
}
