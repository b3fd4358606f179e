import CameraNode
import Foundation
import Keys
import Logging
import TestSupport
import Testing

/// Mistakes of newcomers with `camerad`. Each prints one line that says what to do, and has the
/// right exit status.
struct CameradMistakesTests {
  private static let free =
    "--control tcp://127.0.0.1:* --events tcp://127.0.0.1:* --frames tcp://127.0.0.1:*"

  @Test(arguments: [
    Mistake("", 64, "--camera cam=auto"),
    Mistake("--camera synthetic", 64, "--camera NAME=synthetic"),
    Mistake("--camera cam=synthetc", 64, "files:DIR or auto"),
    Mistake("--camera cam=synthetic:1280", 64, "WIDTHxHEIGHT"),
    Mistake("--camera cam=synthetic:640x480@fast", 64, "frames a second"),
    Mistake("--camera cam=synthetic:640x480@30,fromat=YUYV", 64, "fromat"),
    Mistake("--camera cam=v4l2:", 64, "v4l2:/dev/video0"),
    Mistake("--camera cam=files:", 64, "files:/srv/pictures"),
    Mistake("--camera cam=files:/srv/pictures,rate=100", 64, "'rate'"),
    Mistake("--camera cam=files:/nowhere/pictures", 1, "/nowhere/pictures"),
    Mistake("--camera cam=files:/dev/null", 1, "/dev/null"),
    Mistake("--camera front/left=synthetic", 64, "letters, digits"),
    Mistake("--camera a=synthetic --camera a=synthetic", 64, "its own name"),
    Mistake("--adopt usb", 64, "--adopt NAME=driver=uvcvideo"),
    Mistake("--adopt usb-*=640x480", 64, "names no devices: write driver=uvcvideo"),
    Mistake("--camera usb=synthetic --adopt usb=driver=*", 64, "its own name"),
    Mistake("--camera cam=synthetic --control 5570", 64, "tcp://127.0.0.1:5570"),
    Mistake("--camera cam=synthetic --control tcp://127.0.0.1", 64, "tcp://127.0.0.1:5570"),
    Mistake("--camera cam=synthetic --frames tcp://0.0.0.0:5572", 64, "--insecure"),
    Mistake("--camera cam=synthetic --ipc run/bus", 64, "begin it with /"),
    Mistake("--camera cam=synthetic --ipc /dev/null/bus", 1, "write to"),
    Mistake("--camera cam=synthetic --ipc /etc/passwd", 64, "is a file: name a folder"),
    Mistake(
      "--camera cam=synthetic --group nobodys", 64,
      "\"nobodys\" is no group: make it with sudo groupadd nobodys"),
    // chown(2) takes this number for "no change".
    Mistake(
      "--camera cam=synthetic --group 4294967295", 64,
      "\"4294967295\" is no group: getent group lists"),
    Mistake("--camera cam=synthetic --clock-error 5", 64, "with its unit"),
    Mistake("--camera cam=synthetic --reserve 64", 64, "such as 2GiB"),
    Mistake("--camera cam=synthetic --pressure high", 64, "write on, off, or a folder"),
    Mistake(
      "--camera cam=synthetic --control tcp://127.0.0.1:5570 --events tcp://0.0.0.0:5570 --insecure",
      64,
      "same port as control"),
    Mistake("version", 64, "did you mean 'camerad --version'? See camerad --help"),
    Mistake("--library a --library b", 64, "--library takes one value and is given twice"),
    Mistake("--camera a=synthetic --name x --name y", 64, "--name takes one value"),
    Mistake("--camera cam=synthetic --log loud", 64, "camerad --help"),
    Mistake("--camra cam=synthetic", 64, "--camera"),
    Mistake("--config /nowhere/rig.yaml", 64, "/nowhere/rig.yaml"),
    Mistake("--camera cam=synthetic -q -v", 64, "choose one"),
    Mistake("--camera cam=synthetic --log info -v", 64, "choose one"),
    Mistake("--camera cam=synthetic run", 64, "camerad --help"),
    Mistake("--camera cam=v4l2:/dev/video77", 1, "/dev/video77"),
    Mistake("--camera cam=v4l2:/dev/null", 1, "/dev/null"),
    Mistake("--camera cam=synthetic:640x480@30,format=BA81", 64, "format"),
    Mistake("--camera cam=synthetic --library /dev/null/photos", 1, "/dev/null"),
  ])
  func `A mistake on the command line`(mistake: Mistake) async throws {
    let folder = try TemporaryFolder()
    try folder.write("mine", to: "notes.txt")
    let contents = try FolderContents(folder.path)
    var arguments = mistake.arguments.split(separator: " ").map(String.init)
    if !mistake.arguments.contains("--control"), !mistake.arguments.contains("--frames") {
      arguments += Self.free.split(separator: " ").map(String.init)
    }
    if !mistake.arguments.contains("--library") {
      arguments += ["--library", "\(folder.path)/library"]
    }
    let outcome = try await Program(name: "camerad").run(arguments, in: folder.path)
    outcome.expectOneLine(of: "camerad", status: mistake.status, remedy: mistake.remedy)
    let after = try FolderContents(folder.path)
    #expect(mistake.status == 64 ? after == contents : after.contains(contents))
    for device in ["/dev/null", "/dev/video77"] {
      let type = try? FileManager.default.attributesOfItem(atPath: device)[.type]
      #expect(type as? FileAttributeType == (device == "/dev/null" ? .typeCharacterSpecial : nil))
    }
  }

  @Test(arguments: ["", " "])
  func `A group without a name is refused`(group: String) async throws {
    let outcome = try await Program(name: "camerad").run([
      "--camera", "cam=synthetic", "--group", group,
    ])
    outcome.expectOneLine(
      of: "camerad", status: 64, remedy: "\"\(group)\" is no group: getent group lists")
  }

  @Test(arguments: ["--ipc", "--control"])
  func `A path that is too long for a socket is refused, by --check-config too`(
    option: String
  ) async throws {
    let folder = try TemporaryFolder()
    let path = "/run/" + String(repeating: "a", count: 120)
    for check in [[], ["--check-config"]] {
      let outcome = try await Program(name: "camerad").run(
        [
          "--camera", "cam=synthetic", "--library", "\(folder.path)/library", option,
          option == "--ipc" ? path : "ipc://\(path)/control",
        ] + check)
      outcome.expectOneLine(of: "camerad", status: 64, remedy: "folder with a shorter path")
    }
  }

  @Test func `Keys that cannot be used are named by --check-config, which makes none`()
    async throws
  {
    let folder = try TemporaryFolder()
    let keys = KeyFolder("\(folder.path)/keys")
    func check() async throws -> Program.Outcome {
      try await Program(name: "camerad").run([
        "--camera", "cam=synthetic", "--library", "\(folder.path)/library", "--keys", keys.path,
        "--check-config",
      ])
    }
    #expect(try await check().status == 0)
    #expect(try folder.names.isEmpty)
    _ = try keys.open()
    try folder.write("nonsense", to: "keys/authorized/robot.key")
    try await check().expectOneLine(of: "camerad", status: 1, remedy: "authorized/robot.key")
    try FileManager.default.removeItem(atPath: "\(keys.path)/node.key_secret")
    try await check().expectOneLine(of: "camerad", status: 1, remedy: "restore it")
  }

  @Test(.enabled(if: geteuid() == 0, "root becomes another user"))
  func `A group that the user is not in is refused, by --check-config too`() async throws {
    let folder = try TemporaryFolder()
    for option in [[], ["--check-config"]] {
      let outcome = try await Program(name: "camerad").run(
        ["--camera", "cam=synthetic", "--group", "daemon", "--library", "\(folder.path)/library"]
          + option,
        script: "exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"")
      outcome.expectOneLine(
        of: "camerad", status: 64, remedy: "user 65534 is not in the group daemon: add it")
    }
    let member = try await Program(name: "camerad").run(
      ["--camera", "cam=synthetic", "--group", "1", "--check-config"],
      script: "exec setpriv --reuid=65534 --regid=65534 --groups=1 \"$@\"")
    #expect(member.status == 0, "\(member.errors)")
  }

  @Test(arguments: [
    ("cameras: [", "rig.yaml:2", "no YAML"),
    ("cameras:\n  front: synthetic\nlibary: /tmp\n", "rig.yaml:3", "did you mean 'library'?"),
    ("cameras:\n  front: sinthetic\n", "rig.yaml:2", "sinthetic"),
    ("cameras:\n  - front\n", "rig.yaml:2", "NAME: SPEC"),
    ("keep_trying: perhaps\ncameras:\n  front: synthetic\n", "rig.yaml:1", "true or false"),
    ("clock_error: 5\ncameras:\n  front: synthetic\n", "rig.yaml:1", "with its unit"),
    ("name: \"a\\nb\"\ncameras:\n  front: synthetic\n", "rig.yaml:1", "64 printable"),
    (
      "control: tcp://127.0.0.1:5571\ncameras:\n  a: synthetic\n", "rig.yaml:1",
      "same port as events"
    ),
    ("log: loud\ncameras:\n  front: synthetic\n", "rig.yaml:1", "warning"),
    ("control: 5570\ncameras:\n  front: synthetic\n", "rig.yaml:1", "tcp://127.0.0.1:5570"),
    ("just a text\n", "rig.yaml:1", "cameras:"),
  ])
  func `A mistake in a configuration names its line`(
    text: String, place: String, remedy: String
  ) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "rig.yaml")
    for arguments in [["--config", file], ["--config", file, "--check-config"]] {
      let outcome = try await Program(name: "camerad").run(arguments)
      outcome.expectOneLine(of: "camerad", status: 78, remedy: remedy)
      #expect(outcome.errors.contains(place), "\(outcome.errors)")
    }
    #expect(try folder.names == ["rig.yaml"])
    #expect(try folder.read("rig.yaml") == Array(text.utf8))
  }

  @Test func `The error names a port or a library that is in use`() async throws {
    let folder = try TemporaryFolder()
    let library = "\(folder.path)/library"
    var configuration = NodeConfiguration(name: "first", library: library)
    configuration.control = "tcp://127.0.0.1:*"
    configuration.events = "tcp://127.0.0.1:*"
    configuration.frames = "tcp://127.0.0.1:*"
    configuration.cameras = [try CameraConfiguration(argument: "cam=synthetic:320x240@10")]
    let node = try await Node.start(configuration, log: Logger(label: "test"))
    let free = Self.free.split(separator: " ").map(String.init)
    let sameLibrary = try await Program(name: "camerad").run(
      ["--camera", "cam=synthetic", "--library", library] + free)
    let samePort = try await Program(name: "camerad").run([
      "--camera", "cam=synthetic", "--library", "\(folder.path)/other", "--control",
      node.endpoints.control, "--events", "tcp://127.0.0.1:*", "--frames", "tcp://127.0.0.1:*",
    ])
    await node.stop()
    sameLibrary.expectOneLine(of: "camerad", status: 1, remedy: library)
    samePort.expectOneLine(of: "camerad", status: 1, remedy: node.endpoints.control)
  }

  @Test func `A node that may have few files open is not started, and a low limit is raised`()
    async throws
  {
    let folder = try TemporaryFolder()
    let arguments =
      ["--camera", "cam=synthetic", "--library", "\(folder.path)/library"]
      + Self.free.split(separator: " ").map(String.init)
    let refused = try await Program(name: "camerad").run(
      arguments, script: "ulimit -n 100; exec \"$@\"")
    refused.expectOneLine(of: "camerad", status: 1, remedy: "ulimit -n")
    // The soft limit alone is no obstacle: the node starts, and finds another mistake.
    let raised = try await Program(name: "camerad").run(
      ["--library", "/proc/x"] + arguments.prefix(2)
        + Self.free.split(separator: " ").map(String.init),
      script: "ulimit -Sn 100; exec \"$@\"")
    raised.expectOneLine(of: "camerad", status: 1, remedy: "choose one on a disk")
  }
}
