import Foundation
import TestSupport
import Testing

/// Paths that cannot be used, for every option that takes one. Each is one line with the remedy,
/// and nothing in the folder changes.
@Suite(.timeLimit(.minutes(5)))
struct PathMistakesTests {
  private static let free =
    "--control tcp://127.0.0.1:* --events tcp://127.0.0.1:* --frames tcp://127.0.0.1:*"

  /// Most mistakes show before the node opens it.
  private let library: TemporaryFolder

  init() throws {
    library = try TemporaryFolder()
    // Otherwise a warning that others can read it comes before the mistake.
    try library.makeFolder(".", mode: 0o700)
  }

  /// ROOT has `file`, `empty/`, `loop`, a link to itself, and `ipc/events`, a file.
  @Test(arguments: [
    Mistake("--library /proc/x", 1, "choose one on a disk"),
    Mistake("--library /proc/self/x/y", 1, "choose one on a disk"),
    Mistake("--library ROOT/file", 1, "move away what is there"),
    Mistake("--library ROOT/file/x", 1, "move away what is there"),
    Mistake("--library ROOT/loop", 1, "move away what is there"),
    Mistake("--library ROOT/loop/x", 1, "move away what is there"),
    Mistake("--ipc /proc/x", 1, "name a folder that you may write to"),
    Mistake("--ipc ROOT/file", 64, "name a folder for the sockets"),
    Mistake("--ipc ROOT/file/x", 1, "name a folder that you may write to"),
    Mistake("--ipc ROOT/loop", 1, "name a folder that you may write to"),
    Mistake("--ipc ROOT/loop/x", 1, "name a folder that you may write to"),
    Mistake("--ipc ROOT/ipc", 1, "ROOT/ipc/events is not a socket"),
    Mistake("--config ROOT/none.yaml", 64, "there is no such file"),
    Mistake("--config ROOT/file/x.yaml", 64, "there is no such file"),
    Mistake("--config /proc/x", 64, "there is no such file"),
    Mistake("--config ROOT/empty", 64, "is a folder"),
    Mistake("--config ROOT/loop", 64, "name the file itself"),
    Mistake("--config /dev/zero", 64, "name a text file"),
    Mistake("--camera a=files:ROOT/none", 1, "name a folder of pictures"),
    Mistake("--camera a=files:ROOT/empty", 1, "put some there"),
    Mistake("--camera a=files:ROOT/file", 1, "convert it"),
    Mistake("--camera a=files:ROOT/file/x", 1, "name a folder of pictures"),
    Mistake("--camera a=files:ROOT/loop", 1, "name a folder of pictures"),
    Mistake("--camera a=files:/proc/x", 1, "name a folder of pictures"),
    Mistake("--camera a=v4l2:ROOT/none", 1, "there is no ROOT/none"),
    Mistake("--camera a=v4l2:ROOT/empty", 1, "is a folder"),
    Mistake("--camera a=v4l2:ROOT/file", 1, "is no V4L2 camera"),
    Mistake("--camera a=v4l2:ROOT/file/x", 1, "name one, such as /dev/video0"),
    Mistake("--camera a=v4l2:ROOT/loop", 1, "name one, such as /dev/video0"),
    Mistake("--camera a=v4l2:/proc/x", 1, "there is no /proc/x"),
  ])
  func `A path of camerad`(mistake: Mistake) async throws {
    let root = try Self.root()
    let guarded = try FolderContents(root.path)
    let outcome = try await camerad(mistake.arguments, root)
    outcome.expectOneLine(
      of: "camerad", status: mistake.status,
      remedy: mistake.remedy.replacing("ROOT", with: root.path))
    #expect(try FolderContents(root.path) == guarded)
  }

  @Test(
    .enabled(if: SmallDisk.canBeMade, "needs root, and the right to mount"),
    arguments: [
      ("--library", "full", "is full"), ("--library", "readOnly", "mount it for writing"),
      ("--ipc", "readOnly", "name a folder that you may write to"),
    ])
  func `A disk without room, or only for reading`(
    option: String, state: String, remedy: String
  ) async throws {
    let disk = try SmallDisk(megabytes: 1)
    defer { disk.unmount() }
    try disk.fill()
    if state == "readOnly" {
      try output(of: "mount", ["-o", "remount,ro", disk.folder.path])
    }
    let contents = try FolderContents(disk.folder.path)
    let outcome = try await camerad("\(option) \(disk.folder.path)/new", try Self.root())
    outcome.expectOneLine(of: "camerad", status: 1, remedy: remedy)
    #expect(try FolderContents(disk.folder.path).contains(contents))
  }

  @Test(
    .enabled(if: SmallDisk.canBeMade, "needs root, and the right to mount"),
    arguments: [
      "capture --output DISK/a.jpg", "capture --output DISK",
      "capture --output DISK/old.jpg --overwrite", "record --duration 1 --output DISK/a.mkv",
      "record --duration 1 --output DISK",
    ])
  func `A disk only for reading is no place for a photo or a movie`(arguments: String)
    async throws
  {
    let disk = try SmallDisk(megabytes: 4)
    defer { disk.unmount() }
    try disk.folder.write("mine", to: "old.jpg")
    try output(of: "mount", ["-o", "remount,ro", disk.folder.path])
    let outcome = try await Program(name: "camctl").run(
      arguments.replacing("DISK", with: disk.folder.path).split(separator: " ").map(String.init)
        + ["--node", "tcp://127.0.0.1:1"])
    outcome.expectOneLine(of: "camctl", status: 1, remedy: "choose another place")
    #expect(try disk.folder.names == ["old.jpg"])
    #expect(try disk.folder.read("old.jpg") == Array("mine".utf8))
  }

  @Test(
    .enabled(if: geteuid() == 0, "root becomes another user"),
    arguments: [
      Mistake("camerad --library ROOT/secret/library", 1, "chown or chmod"),
      Mistake("camerad --library ROOT/library", 1, "chown or chmod"),
      Mistake("camerad --ipc ROOT/secret/ipc", 1, "name a folder that you may write to"),
      Mistake("camerad --config ROOT/secret/rig.yaml", 64, "permission"),
      Mistake("camerad --config ROOT/secret.yaml", 64, "you may not read it"),
      Mistake("camerad --camera a=files:ROOT/secret", 1, "chmod a+rX"),
      Mistake("camctl capture --output ROOT/secret/a.jpg", 1, "choose another place"),
      Mistake("camctl capture --output ROOT/a.jpg", 1, "choose another place"),
      Mistake("camctl capture --output ROOT", 1, "choose another place"),
      Mistake("camctl capture --output ROOT/secret.yaml --overwrite", 1, "choose another place"),
      // The folder may be written to, and the file not.
      Mistake("camctl capture --output ROOT/open/a.jpg --overwrite", 1, "choose another place"),
      Mistake("camctl record --duration 1 --output ROOT/a.mkv", 1, "choose another place"),
    ])
  func `A path without permission`(mistake: Mistake) async throws {
    let root = try Self.root()
    try root.write("cameras:", to: "secret.yaml")
    try FileManager.default.createDirectory(
      atPath: "\(root.path)/secret", withIntermediateDirectories: false)
    try root.write("mine", to: "open/a.jpg")
    let modes = [
      ("secret", 0o700), ("secret.yaml", 0o600), ("open/a.jpg", 0o444), ("open", 0o777),
      (".", 0o755),
    ]
    for (name, mode) in modes {
      try FileManager.default.setAttributes(
        [.posixPermissions: NSNumber(value: mode)], ofItemAtPath: "\(root.path)/\(name)")
    }
    // The other user may use the library, so that only the path of the row is wrong.
    try FileManager.default.setAttributes(
      [.ownerAccountID: NSNumber(value: 65534)], ofItemAtPath: library.path)
    let words = mistake.arguments.replacing("ROOT", with: root.path).split(separator: " ")
      .map(String.init)
    let arguments = Array(words.dropFirst())
    let isDaemon = words[0] == "camerad"
    let guarded = try FolderContents(root.path)
    let outcome = try await Program(name: words[0]).run(
      isDaemon ? complete(arguments) : arguments + ["--node", "tcp://127.0.0.1:1"],
      script: "exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"")
    outcome.expectOneLine(of: words[0], status: mistake.status, remedy: mistake.remedy)
    #expect(try FolderContents(root.path) == guarded)
  }

  @Test(arguments: [
    Mistake("ROOT/none/a.jpg", 1, "make it first"),
    Mistake("ROOT/none/", 1, "make it first"),
    Mistake("ROOT/file/a.jpg", 1, "is no folder"),
    Mistake("ROOT/loop", 1, "leads to itself"),
    Mistake("ROOT/loop/a.jpg", 1, "leads to itself"),
    Mistake("/proc/a.jpg", 1, "choose another place"),
    Mistake("ROOT/\(String(repeating: "a", count: 300)).jpg", 1, "choose a shorter one"),
    Mistake("ROOT/\(String(repeating: "a", count: 250)).jpg", 1, "choose a shorter one"),
  ])
  func `A path of camctl`(mistake: Mistake) async throws {
    let root = try Self.root()
    let guarded = try FolderContents(root.path)
    let path = mistake.arguments.replacing("ROOT", with: root.path)
    for verb in [["capture"], ["record", "--duration", "1"]] {
      // A movie has its own extension.
      let place = verb[0] == "record" ? path.replacing(".jpg", with: ".mkv") : path
      let outcome = try await Program(name: "camctl").run(
        verb + ["--node", "tcp://127.0.0.1:1", "--output", place])
      outcome.expectOneLine(of: "camctl", status: mistake.status, remedy: mistake.remedy)
    }
    #expect(try FolderContents(root.path) == guarded)
  }

  @Test func `A working directory that was removed is an error and no crash`() async throws {
    let root = try Self.root()
    let script = "mkdir gone; cd gone; rmdir ../gone; exec \"$@\""
    let daemon = try await Program(name: "camerad").run(
      complete(["--library", "library"]), in: root.path, script: script)
    daemon.expectOneLine(of: "camerad", status: 1, remedy: "choose one on a disk")
    for arguments in [
      ["capture"], ["capture", "--output", "a.jpg"], ["record", "--duration", "1"],
    ] {
      let outcome = try await Program(name: "camctl").run(
        arguments + ["--node", "tcp://127.0.0.1:1"], in: root.path, script: script)
      outcome.expectOneLine(of: "camctl", status: 1, remedy: "does not exist")
    }
  }

  private static func root() throws -> TemporaryFolder {
    let root = try TemporaryFolder()
    try root.write("", to: "file")
    try root.write("mine", to: "ipc/events")
    try root.link("loop", to: "loop")
    try FileManager.default.createDirectory(
      atPath: "\(root.path)/empty", withIntermediateDirectories: false)
    return root
  }

  private func camerad(_ text: String, _ root: TemporaryFolder) async throws -> Program.Outcome {
    let arguments = text.replacing("ROOT", with: root.path).split(separator: " ").map(String.init)
    return try await Program(name: "camerad").run(complete(arguments))
  }

  /// Adds a camera, a library and free ports where the arguments name none.
  private func complete(_ arguments: [String]) -> [String] {
    var arguments = arguments + Self.free.split(separator: " ").map(String.init)
    if !arguments.contains("--camera"), !arguments.contains("--config") {
      arguments += ["--camera", "cam=synthetic:320x240@10"]
    }
    if !arguments.contains("--library") { arguments += ["--library", library.path] }
    return arguments
  }
}
