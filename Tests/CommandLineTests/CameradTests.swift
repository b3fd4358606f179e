import CameraClient
import CameraProtocol
import Foundation
import TestSupport
import Testing

/// `camerad` as people and systemd use it.
@Suite(.timeLimit(.minutes(5)))
struct CameradTests {
  @Test(arguments: ["camerad", "camctl"])
  func `Both programs print the version that the status reports`(name: String) async throws {
    let outcome = try await Program(name: name).run(["--version"])
    #expect(outcome.output == "\(name) \(Release.version)\n")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.status == 0)
  }

  @Test func `A right configuration is checked without a word and without opening anything`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "library: \(folder.path)/library\ncameras:\n  cam: v4l2:/dev/video77\n", to: "rig.yaml")
    let outcome = try await Program(name: "camerad").run(["--config", file, "--check-config"])
    #expect(outcome.errors.isEmpty && outcome.output.isEmpty)
    #expect(outcome.status == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/library"))
  }

  @Test func `Checking prints a line for each mistake in the file and the options`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "libary: /tmp\nlog: loud\ncameras:\n  cam: webcam\n", to: "rig.yaml")
    let outcome = try await Program(name: "camerad").run([
      "--config", file, "--check-config", "--control", "5570", "--camera", "b=auto",
    ])
    let lines = outcome.errors.lines
    try #require(lines.count == 4, "\(outcome.errors)")
    #expect(lines.allSatisfy { $0.hasPrefix("camerad: ") })
    for (line, hint) in zip(lines, ["rig.yaml:1", "rig.yaml:2", "rig.yaml:4", "--control 5570"]) {
      #expect(line.contains(hint))
    }
    #expect(outcome.status == 78)
    #expect(outcome.output.isEmpty)
  }

  @Test func `Checking options alone has the status of wrong usage`() async throws {
    let outcome = try await Program(name: "camerad").run(["--check-config", "--camera", "auto"])
    outcome.expectOneLine(of: "camerad", status: 64, remedy: "--camera NAME=auto")
  }

  /// The log of a node that ran and was stopped.
  private func log(_ options: [String], isJournal: Bool = false) async throws -> [Substring] {
    let folder = try TemporaryFolder()
    let program = try Program(name: "camerad").start(
      [String].oneCamera + ["--library", "\(folder.path)/library"] + options, isJournal: isJournal)
    try program.waitForOutput()
    program.interrupt()
    let outcome = try await program.outcome()
    #expect(outcome.status == 0)
    return outcome.errors.lines
  }

  @Test func `The journal gets priorities, and no times of our own`() async throws {
    let lines = try await log(["-vvv"], isJournal: true)
    #expect(!lines.isEmpty)
    let line = /<[2-7]>[^<].*/
    #expect(lines.allSatisfy { $0.wholeMatch(of: line) != nil }, "\(lines)")
    #expect(!lines.contains { $0.contains(/\d\d:\d\d:\d\d/) || $0.contains("camerad:") })
    let other = try await log(["-vvv"])
    #expect(!other.isEmpty && other.allSatisfy { $0.contains(/\d\d:\d\d:\d\d/) }, "\(other)")
  }

  @Test(arguments: [
    ["--help"], ["--camera", "ö=auto"], ["--check-config", "--camera", "caméra=auto"],
    ["--check-config", "--config", "ПУТЬ/плохо.yaml"], ["--config", "ПУТЬ/плохо.yaml"],
    ["--camera", "a=files:/Фото–写真"], ["--camera", "a=v4l2:/dev/вideo0"], ["--lög", "debug"],
    ["--camera", "cam=synthetic", "--library", "/proc/Фото"],
  ])
  func `What camerad says is plain ASCII where the locale has no more`(
    arguments: [String]
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("cämeras: 5\nlog: łoud\n", to: "плохо.yaml")
    let free =
      [String].oneCamera.dropFirst(2)
      + (arguments.contains("--library") ? [] : ["--library", "\(folder.path)/library"])
    let outcome = try await Program(name: "camerad").run(
      arguments.map { $0.replacing("ПУТЬ", with: folder.path) }
        + (arguments.contains("--camera") ? free : []),
      environment: ["LC_ALL": "C"])
    #expect(!(outcome.output + outcome.errors).isEmpty)
    #expect((outcome.output + outcome.errors).isASCII, "\(outcome)")
    guard arguments.contains("--camera"), arguments[0] != "--help" else { return }
    let unicode = try await Program(name: "camerad").run(
      arguments + free, environment: ["LC_ALL": "C.UTF-8"])
    #expect(!unicode.errors.isASCII, "\(unicode)")
  }

  @Test func `The log is plain ASCII where the locale has no more`() async throws {
    let folder = try TemporaryFolder()
    for (locale, isPlain) in [("C", true), ("C.UTF-8", false)] {
      let program = try Program(name: "camerad").start(
        ["--camera", "cam=v4l2:/dev/вideo0", "--keep-trying", "-vvv"]
          + [String].oneCamera.dropFirst(2)
          + ["--library", "\(folder.path)/library"], environment: ["LC_ALL": locale])
      try program.waitForOutput()
      program.interrupt()
      let errors = try await program.outcome().errors
      #expect(!errors.isEmpty)
      #expect(errors.isASCII == isPlain, "\(errors)")
    }
  }

  @Test func `The log says what the node does, and shows no structures of Swift`() async throws {
    let lines = try await log(["--log", "trace", "--name", "front desk"])
    #expect(lines.contains { $0.contains("node front desk") }, "\(lines)")
    #expect(!lines.contains { $0.contains("NodeConfiguration") || $0.count > 300 }, "\(lines)")
  }

  @Test(arguments: ["", " ", "\u{1b}[31m", String(repeating: "x", count: 65)])
  func `A node's name is 1 to 64 printable characters`(name: String) async throws {
    let outcome = try await Program(name: "camerad").run(
      [String].oneCamera + ["--name", name, "--check-config"])
    outcome.expectOneLine(of: "camerad", status: 64, remedy: "--name needs 1 to 64 printable")
  }

  @Test func `The error that ends the program has the priority of an error in the journal`()
    async throws
  {
    let program = try Program(name: "camerad").start(["--camera", "auto"], isJournal: true)
    let outcome = try await program.outcome()
    #expect(outcome.errors.hasPrefix("<3>--camera auto has no name"))
    #expect(outcome.errors.lines.count == 1)
  }

  @Test func `A stream that is not the journal's gets no priorities`() async throws {
    let outcome = try await Program(name: "camerad").run(
      ["--camera", "auto"], environment: ["JOURNAL_STREAM": "1:2"])
    #expect(outcome.errors.hasPrefix("camerad: "))
  }

  @Test func `The level of the log comes from the file unless an option names another`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write("log: trace\n", to: "rig.yaml")
    #expect(try await !log(["--config", file]).isEmpty)
    #expect(try await log(["--config", file, "-q"]).isEmpty)
    #expect(try await log(["--config", file, "--log", "error"]).isEmpty)
    #expect(try await log([]).isEmpty)
  }

  @Test func `Without --library photos go to the user's folder for data, and the help says so`()
    async throws
  {
    let folder = try TemporaryFolder()
    for (environment, library) in [
      (["XDG_DATA_HOME": "\(folder.path)/data"], "data/camerabus"),
      (["XDG_DATA_HOME": "", "HOME": "\(folder.path)/home"], "home/.local/share/camerabus"),
    ] {
      let program = try Program(name: "camerad").start([String].oneCamera, environment: environment)
      try program.waitForOutput()
      let path = "\(folder.path)/\(library)/library.sqlite"
      #expect(FileManager.default.fileExists(atPath: path))
      program.interrupt()
      #expect(try await program.outcome().status == 0)
    }
    let help = try await Program(name: "camerad").run(["--help"]).output
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains(
        "(default: $XDG_DATA_HOME/camerabus, usually ~/.local/share/camerabus; "
          + "/var/lib/camerabus without a home)"))
  }

  /// Runs `body` with a node of its own, which listens on ipc in the folder.
  /// - Returns: The node's log.
  private func withDaemon(
    _ options: [String], in folder: TemporaryFolder,
    _ body: (_ control: String) async throws -> Void
  ) async throws -> [Substring] {
    let sockets = ["control", "events", "frames"].flatMap { name in
      ["--\(name)", "ipc://\(folder.path)/\(name)"]
    }
    let program = try Program(name: "camerad").start(
      ["--library", "\(folder.path)/library"] + sockets + options)
    try program.waitForOutput()
    try await attempt {
      try await body("ipc://\(folder.path)/control")
    } finally: {
      program.interrupt()
    }
    let outcome = try await program.outcome()
    #expect(outcome.status == 0)
    return outcome.errors.lines
  }

  @Test(.enabled(if: hasNoCamera, "this machine has a real camera"))
  func
    `A camera that auto simulates is named in one line of the log, in the status and in the list`()
    async throws
  {
    let log = try await withDaemon(["--camera", "cam=auto"], in: try TemporaryFolder()) { node in
      for verb in ["status", "cameras"] {
        let outcome = try await camctl(node, verb)
        #expect(
          outcome.output.contains("cam is simulated: there is no real camera on this machine"))
      }
      let status = try await camctl(node, "status", "--json").output.decoded(as: NodeStatus.self)
      let reason = try #require(status.cameras.first?.device?.standInReason)
      #expect(reason.hasPrefix("there is no real camera on this machine: plug one in"))
    }
    #expect(log.count == 1)
    #expect(log.first?.contains("camera cam is simulated: there is no real camera") == true)
  }

  private static let hasNoCamera =
    ((try? FileManager.default.contentsOfDirectory(atPath: "/dev")) ?? []).allSatisfy {
      !$0.hasPrefix("video")
    }

  @Test func `A file that was removed by hand is a line of the log when the assets are listed`()
    async throws
  {
    let folder = try TemporaryFolder()
    let log = try await withDaemon(["--camera", "cam=synthetic:320x240@10"], in: folder) { node in
      _ = try await camctl(node, "capture", "--output", "\(folder.path)/a.jpg")
      let asset = try #require(try await camctl(node, "assets", "--json").output.lines.first)
      let path = try asset.decoded(as: Asset.self).path
      try FileManager.default.removeItem(atPath: "\(folder.path)/library/\(path)")
      for _ in 0..<2 { _ = try await camctl(node, "assets") }
    }
    #expect(log.count == 1, "It is reported once: \(log)")
    #expect(log.first?.contains("is gone: put it back, or delete the asset") == true)
  }

  @Test func `The reserve and the error of the wall clock are as the operator states them`()
    async throws
  {
    let options = [
      "--camera", "cam=synthetic:320x240@10", "--clock-error", "5ms", "--reserve", "1MiB",
    ]
    _ = try await withDaemon(options, in: try TemporaryFolder()) { node in
      let status = try await camctl(node, "status", "--json").output.decoded(as: NodeStatus.self)
      #expect(try #require(status.now.wallError) >= .milliseconds(5))
      #expect(status.library.reserveBytes == 1 << 20)
      let photo = try await camctl(
        node, "capture", "--transient", "--json", "--output", "/dev/null")
      let resolved = try #require(try photo.output.object()["resolved"] as? [String: Any])
      let timestamp = try #require(resolved["timestamp"] as? [String: Any])
      #expect(try #require(timestamp["wallErrorNanoseconds"] as? Int) >= 5_000_000)
    }
  }
}

extension String {
  fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
