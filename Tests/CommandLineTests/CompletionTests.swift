import CameraClient
import CameraNode
import Foundation
import TestSupport
import Testing

/// What shells complete with a node's answers.
@Suite(.timeLimit(.minutes(5)))
struct CompletionTests {
  /// The words that `camctl` offers for the last of `words`.
  /// - Parameter argument: The option or the number of the positional argument that is completed.
  private func words(
    of verbs: [String], _ argument: String, _ line: String, node: String, shell: String = "bash"
  ) async throws -> [Substring] {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let outcome = try await Program(name: "camctl").run(
      ["---completion"] + verbs + [
        "--", argument, "\(words.count - 1)", "\(words.last?.count ?? 0)",
      ]
        + words,
      environment: ["CAMERABUS_NODE": node, "SAP_SHELL": shell])
    #expect(outcome.errors.isEmpty)
    #expect(outcome.status == 0)
    return outcome.output.lines.filter { $0 != " " }
  }

  @Test func `Cameras, controls, values, assets and moments are completed`() async throws {
    try await withNode { node, _ in
      let control = node.control
      #expect(
        try await words(of: ["capture"], "--camera", "camctl capture --camera ", node: control)
          == ["left", "right"])
      let controls = try await words(
        of: ["controls", "get"], "positional@0", "camctl controls get --camera left ",
        node: control)
      #expect(controls.contains("brightness"))
      let resettable = try await words(
        of: ["controls", "reset"], "positional@0", "camctl controls reset --camera left ",
        node: control)
      #expect(resettable == controls)
      let settings = try await words(
        of: ["controls", "set"], "positional@0", "camctl controls set --camera left ",
        node: control)
      #expect(settings.contains("brightness=128"), "\(settings)")
      // zsh and fish complete the whole word, bash what follows `=`.
      let whole = try await words(
        of: ["controls", "set"], "positional@0", "camctl controls set --camera left test_pattern=",
        node: control)
      #expect(whole.contains("test_pattern=Grey Ramp"), "\(whole)")
      let split = try await words(
        of: ["controls", "set"], "positional@0",
        "camctl controls set --camera left test_pattern = ", node: control)
      #expect(split.contains("Grey Ramp"), "\(split)")
      let bus = try CameraBus(control)
      let asset = try #require(try await bus.camera("left").capture().asset)
      await bus.close()
      #expect(
        try await words(of: ["download"], "positional@0", "camctl download ", node: control)
          == ["\(asset.id)"])
      for verb in ["delete", "protect"] {
        #expect(
          try await words(of: [verb], "positional@0", "camctl \(verb) ", node: control)
            == ["\(asset.id)"])
      }
      #expect(
        try await words(
          of: ["download"], "positional@0", "camctl download --camera right ", node: control
        ).isEmpty)
    }
  }

  @Test func `Moments are completed without a node, and zsh gets their colons escaped`()
    async throws
  {
    let line = "camctl capture --when "
    let words = try await words(of: ["capture"], "--when", line, node: "")
    #expect(words == ["now", "next", "past:0.2s", "within:0.5s", "at:+0.5s"])
    let zsh = try await self.words(of: ["capture"], "--when", line, node: "", shell: "zsh")
    #expect(zsh.contains(#"past\:0.2s"#))
  }

  @Test func `The node that the line names is asked`() async throws {
    try await withNode { node, _ in
      for line in [
        "--node \(node.control)", "--node=\(node.control)",
        // As bash splits it.
        "--node \(node.control.replacing(":", with: " : "))",
        "--node = \(node.control.replacing(":", with: " : "))",
      ] {
        let words = try await words(
          of: ["capture"], "--camera", "camctl capture \(line) --camera ",
          node: "tcp://127.0.0.1:1")
        #expect(words == ["left", "right"], "\(line)")
      }
    }
  }

  @Test(arguments: ["tcp://127.0.0.1:1", "nonsense"])
  func `Without a node there are no words and no error`(node: String) async throws {
    #expect(
      try await words(of: ["capture"], "--camera", "camctl capture --camera ", node: node).isEmpty)
  }

  @Test func `A completion that the script does not know is silent`() async throws {
    let outcome = try await Program(name: "camctl").run(["---completion", "capture", "--", "--x"])
    #expect(outcome.errors.isEmpty && outcome.output.isEmpty)
  }

  @Test(arguments: [
    ("bash", "bash --norc --noprofile -i", "source SCRIPT"),
    (
      "zsh", "zsh -f -i",
      "autoload -U compinit; compinit -u -D; source SCRIPT; compdef _camctl camctl"
    ),
    ("fish", "fish --no-config -i", "source SCRIPT"),
  ])
  func `A shell completes names, ids, kinds and moments`(
    shell: String, command: String, setup: String
  ) async throws {
    try await withNode { node, folder in
      let bus = try CameraBus(node.control)
      let asset = try #require(try await bus.camera("left").capture().asset)
      await bus.close()
      let script = try await Program(name: "camctl").run(["completion", shell])
      #expect(script.status == 0)
      let path = try folder.write(script.output, to: "_camctl")
      // The key Tab completes the name; the command runs only if the name is whole.
      let typed =
        setup.replacing("SCRIPT", with: path) + "\n"
        + "camctl cameras --json --camera le\t\n"
        + "camctl events --history --count 1 --json --kind sta\t--since 24\t\n"
        + "camctl protect --json \("\(asset.id)".prefix(2))\t\nexit\n"
      let screen = try await Program.inTerminal(
        command, typing: typed, environment: ["CAMERABUS_NODE": node.control])
      #expect(screen.contains(#""name":"left""#), "\(screen)")
      #expect(screen.contains(#""type":"state""#), "\(screen)")
      #expect(screen.contains(#""isProtected":true"#), "\(screen)")
    }
  }
}
