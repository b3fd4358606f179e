import CameraClient
import CameraNode
import Foundation
import TestSupport
import Testing

/// Every verb with a standard output that cannot be written.
@Suite(.timeLimit(.minutes(5)))
struct StandardOutputTests {
  /// What each verb prints goes wrong; `record start` comes before frames and `record stop` after.
  /// PATH is a folder with `saved`, `movie.mkv` and `shot`, and ASSET a photo of the library.
  private static let verbs = [
    "--help", "--version", "help json", "help capture", "json", "completion bash",
    "completion zsh", "completion fish", "status", "status --json", "status --watch", "cameras",
    "devices", "configure --camera left --set brightness=3", "lease acquire --camera left --detach",
    "lease status",
    "lease release --camera left --force", "formats --camera left", "controls list --camera left",
    "capabilities --camera left", "calibration --camera left", "clock", "metrics", "quota",
    "microphones",
    "controls get --camera left brightness", "controls set --camera left brightness=7",
    "controls reset --camera left brightness", "controls save --camera left -",
    "controls save --camera left PATH/saved --overwrite", "controls load --camera left PATH/saved",
    "record start --camera left", "watch --camera left --count 3",
    "watch --camera left --count 3 --json --frames", "record pause --camera left",
    "record resume --camera left", "record stop --camera left",
    "record start --camera left --before 1s", "record trigger --camera left",
    "record stop --camera left --json",
    "show --camera left --as blocks --frames 1", "show ASSET --as sixel",
    "events --history --count 1", "session start --camera left", "session stop --camera right",
    "session start --camera right", "session suspend --camera right",
    "session resume --camera right",
    "capture --camera left --output PATH/a-%d.jpg --overwrite",
    "capture --camera left --output -", "rig init NODE --output PATH/rig.yaml",
    "rig status --rig PATH/rig.yaml", "rig clocks --node NODE",
    "rig events --node NODE --history --count 1", "rig align --node NODE",
    "rig capture --node NODE --dry-run",
    "rig series --node NODE --count 1 --every 1s --output PATH/series", "rig sheet PATH/shot",
    "rig record --node NODE --need any --duration 0.2s --output PATH/take", "assets list",
    "assets tag ASSET --add test", "assets verify", "assets repair", "doctor",
    "record run --camera left --duration 0.2 --output PATH/a.mkv --overwrite",
    "download ASSET --output -", "download ASSET --output PATH/b.jpg --overwrite",
    "frames PATH/movie.mkv", "frames PATH/movie.mkv --json", "protect ASSET", "protect ASSET --off",
    "delete ASSET", "keys invite guest --control tcp://127.0.0.1:5570 --keys PATH/keys",
    "keys show --keys PATH/keys", "keys authorize robot KEY --keys PATH/keys",
    "keys change robot --role viewer --keys PATH/keys",
    "keys list --keys PATH/keys", "keys rename robot arm --keys PATH/keys",
    "keys revoke arm --keys PATH/keys",
    "nodes add front --control tcp://127.0.0.1:5570 --node-key KEY", "nodes list",
    "nodes rename front rear", "nodes remove rear", "nodes discover --no-browse tcp://127.0.0.1:1",
  ]
  private static let key = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"

  @Test func `Every verb of the command line is tested here`() async throws {
    struct Dump: Decodable {
      var command: Command
    }
    struct Command: Decodable {
      var commandName: String
      var subcommands: [Command]?

      /// The verbs that have none below them, such as "session start".
      func verbs(_ path: [String] = []) -> [String] {
        guard let subcommands else { return [path.joined(separator: " ")] }
        return subcommands.filter { $0.commandName != "help" }
          .flatMap { $0.verbs(path + [$0.commandName]) }
      }
    }
    let dump = try await Program(name: "camctl").run(["--experimental-dump-help"])
    let verbs = try dump.output.decoded(as: Dump.self).command.verbs()
    #expect(verbs.count > 20, "\(verbs)")
    for verb in verbs {
      #expect(Self.verbs.contains { "\($0) ".hasPrefix("\(verb) ") }, "\(verb) has no row")
    }
  }

  /// Runs `body` with a node whose library has a photo, and with saved controls.
  /// - Parameter body: Gets the photo's id.
  private func withPhoto(
    _ body: @Sendable (NodeEndpoints, TemporaryFolder, _ asset: Identifier) async throws -> Void
  ) async throws {
    try await withNode { node, folder in
      try folder.write(#"{"id":"brightness","value":9}"#, to: "saved")
      try folder.write(TestMovie.bytes(frames: [1, 2]), to: "movie.mkv")
      let id = String(repeating: "0", count: 32)
      try folder.write(
        #"{"shot":"\#(id)","monotonicNanoseconds":0,"wallNanoseconds":0,"outcome":"complete","#
          + #""parts":[{"camera":"a","node":"n","picture":{"requestID":"\#(id)","files":[]}}]}"#,
        to: "shot/shot.json")
      let bus = try CameraBus(node.control)
      let asset = try #require(try await bus.camera("left").capture().asset)
      await bus.close()
      try await body(node, folder, asset.id)
    }
  }

  @Test func `A full standard output is one line and status 1`() async throws {
    try await withPhoto { node, folder, asset in
      let full = try folder.makeFullDevice()
      for verb in Self.verbs {
        let outcome = try await run(
          verb, node.control, folder, asset: asset, "exec \"$@\" > '\(full)'")
        expect(outcome, of: verb, "the standard output cannot be written (No space left")
      }
    }
  }

  @Test func `A closed standard output is one line and status 1, and nothing is done`()
    async throws
  {
    try await withPhoto { node, folder, asset in
      let before = try await camctl(node.control, "assets", "--json")
      for verb in Self.verbs {
        let outcome = try await run(verb, node.control, folder, asset: asset, "exec \"$@\" >&-")
        expect(outcome, of: verb, "the standard output is closed")
      }
      #expect(try folder.names == ["library", "movie.mkv", "saved", "shot"])
      let list = try await camctl(node.control, "assets", "--json")
      #expect(list.output == before.output)
    }
  }

  @Test func `A pipe whose reader has gone ends every verb silently by SIGPIPE`() async throws {
    try await withPhoto { node, folder, asset in
      for verb in Self.verbs {
        let outcome = try await run(
          verb, node.control, folder, asset: asset,
          "exec 3> >(exec true); wait $!; \"$@\" >&3; exit $?")
        #expect(outcome.errors.isEmpty, "\(verb): \(outcome.errors)")
        #expect(outcome.status == 128 + 13, "\(verb)")
      }
    }
  }

  @Test func `An ignored SIGPIPE is one line and status 1`() async throws {
    try await withNode { node, folder in
      let outcome = try await run(
        "status", node.control, folder,
        "trap '' PIPE; exec 3> >(exec true); wait $!; \"$@\" >&3; exit $?")
      outcome.expectOneLine(
        of: "camctl", status: 1, remedy: "the standard output cannot be written (Broken pipe)")
    }
  }

  @Test func `The error about the standard output is an object with --json`() async throws {
    let outcome = try await Program(name: "camctl").run(
      ["status", "--json"], script: "exec \"$@\" >&-")
    #expect(try outcome.errors.object()["error"] is [String: Any], "\(outcome.errors)")
  }

  @Test(arguments: ["", "--help", "--version"])
  func `camerad ends in the same ways`(option: String) async throws {
    let folder = try TemporaryFolder()
    let full = try folder.makeFullDevice()
    let arguments =
      option.isEmpty
      ? [
        "--camera", "cam=synthetic:320x240@10", "--library", "\(folder.path)/library",
        "--control", "tcp://127.0.0.1:*", "--events", "tcp://127.0.0.1:*",
        "--frames", "tcp://127.0.0.1:*",
      ] : [option]
    let program = Program(name: "camerad")
    let closed = try await program.run(arguments, script: "exec \"$@\" >&-")
    closed.expectOneLine(of: "camerad", status: 1, remedy: "the standard output is closed")
    let filled = try await program.run(arguments, script: "exec \"$@\" > '\(full)'")
    filled.expectOneLine(of: "camerad", status: 1, remedy: "free some room")
    let ended = try await program.run(
      arguments, script: "exec 3> >(exec true); wait $!; \"$@\" >&3; exit $?")
    #expect(ended.errors.isEmpty, "\(ended.errors)")
    #expect(ended.status == 128 + 13)
  }

  @Test func `Photos go to a terminal only with --force`() async throws {
    try await withNode { node, folder in
      let capture = "capture --camera left --transient --output -"
      // script(1) runs a program on a terminal of its own.
      let refused = try await run(
        capture, node.control, folder, "script -qec \"$*\" /dev/null < /dev/null")
      #expect(refused.status == 64)
      #expect(refused.output.contains("use --force"), "\(refused.output)")
      let forced = try await run(
        capture + " --force", node.control, folder, "script -qec \"$*\" /dev/null < /dev/null")
      #expect(forced.status == 0)
      #expect(forced.output.contains("JFIF"))
    }
  }

  @Test func `No file or socket gets the number of a closed standard stream`() async throws {
    let folder = try TemporaryFolder()
    let program = try Program(name: "camerad").start(
      [
        "--camera", "cam=synthetic:320x240@10", "--library", "\(folder.path)/library",
        "--control", "tcp://127.0.0.1:*", "--events", "tcp://127.0.0.1:*",
        "--frames", "tcp://127.0.0.1:*",
      ], script: "exec \"$@\" <&- 2>&-")
    try program.waitForOutput()
    for stream in [0, 2] {
      let target = try FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/\(program.processID)/fd/\(stream)")
      #expect(target == "/dev/null")
    }
    program.interrupt()
    #expect(try await program.outcome().status == 0)
  }

  /// Expects one line, which is an object with `--json`, and status 1.
  private func expect(_ outcome: Program.Outcome, of verb: String, _ words: String) {
    if verb.contains("--json") {
      #expect(outcome.errors.lines.count == 1, "\(verb): \(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(verb): \(outcome.errors)")
      #expect(outcome.status == 1, "\(verb)")
    } else {
      outcome.expectOneLine(of: "camctl", status: 1, remedy: words)
    }
  }

  private func run(
    _ verb: String, _ node: String, _ folder: TemporaryFolder,
    asset: Identifier? = nil, _ script: String
  ) async throws -> Program.Outcome {
    let arguments = verb.replacing("PATH", with: folder.path).replacing("NODE", with: node)
      .replacing("ASSET", with: asset?.description ?? "").replacing("KEY", with: Self.key).split(
        separator: " "
      ).map(String.init)
    return try await Program(name: "camctl").run(
      arguments, environment: ["CAMERABUS_NODE": node, "XDG_CONFIG_HOME": folder.path],
      script: script)
  }
}
