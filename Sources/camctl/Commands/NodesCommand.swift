import ArgumentParser
import CameraClient
import Keys
import OperatingSystem
import ZeroMQ

/// Keeps the nodes that this user may use, by names for `--node`.
struct NodesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes",
    abstract: "Keeps the nodes that you may use, by names for --node.",
    discussion: """
      They are in $XDG_CONFIG_HOME/camerabus, usually ~/.config/camerabus: nodes.yaml, and a secret key for each. \
      Where --node is an endpoint, the key of the first node with that endpoint is used.
      """,
    subcommands: [Add.self, List.self, Remove.self, Rename.self, Discover.self]
  )

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Adds a node by the invitation that its owner gave you.",
      discussion: """
        It reads the line from standard input, because other users of this machine can see arguments. Without an \
        invitation, --control and --node-key make a key for you, whose public half the node's owner authorizes.
        """)

    @Flag(help: "Print one JSON object a line; `camctl help json` names the fields.")
    var json = false

    @Option(
      help: ArgumentHelp("The node's control endpoint.", valueName: "tcp://HOST:PORT"))
    var control: String?

    @Option(
      help: ArgumentHelp(
        "The node's public key, as `camctl keys show` prints it there.", valueName: "KEY"))
    var nodeKey: String?

    @Argument(
      help: ArgumentHelp("How to call the node; default: as its owner does.", valueName: "NAME"))
    var name: String?

    func validate() throws {
      guard (control == nil) == (nodeKey == nil) else {
        throw ValidationError("--control and --node-key belong together: give both")
      }
      if control != nil, name == nil {
        throw ValidationError(
          "the node needs a name: camctl nodes add NAME --control … --node-key …")
      }
    }

    func run() throws {
      let (node, keys) = try control.map(ownKey) ?? invitation()
      try KnownNodes().add(node, keys)
      if json {
        NodeTable.print([node], asJSON: true, publicKey: control.map { _ in keys.publicKey })
      } else {
        StandardOutput.write(
          line: "\(node.name) is at \(node.control): camctl --node \(node.name) status")
        guard control != nil else { return }
        StandardOutput.write(
          line: "Let its owner run there: camctl keys authorize NAME '\(keys.publicKey.z85)'")
      }
    }

    private func ownKey(_ control: String) throws -> (KnownNode, CurveKeyPair) {
      try Endpoint.requireTCP(control)
      guard let key = try? CurvePublicKey(z85: nodeKey ?? "") else {
        throw CommandFailure.usage("--node-key is no public key, which has 40 characters")
      }
      let node = try CommandFailure.usage { () throws(KeyError) in
        try KnownNode(name: name ?? "", control: control, key: key)
      }
      return (node, try .forCommandLines())
    }

    private func invitation() throws -> (KnownNode, CurveKeyPair) {
      if StandardInput.isTerminal {
        StandardError.write("Paste the invitation and press Return: ")
      }
      let line = try StandardInput.line(atMost: Invitation.longestText)
      let invitation = try Invitation(parsing: line)
      _ = try Endpoint(invitation.control)
      let node = try KnownNode(
        name: name ?? invitation.name, control: invitation.control, key: invitation.nodeKey)
      return (node, try CurveKeyPair(secretKey: invitation.guestKey))
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the nodes that you may use.")

    @Flag(help: "Print one JSON object a line; `camctl help json` names the fields.")
    var json = false

    func run() throws { NodeTable.print(try KnownNodes().all(), asJSON: json) }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Forgets a node, and deletes your key for it.")

    @Flag(help: "Print one JSON object a line; `camctl help json` names the fields.")
    var json = false

    @Argument(help: ArgumentHelp("The node.", valueName: "NAME")) var name: String

    func run() throws {
      try KnownNodes().remove(name)
      if json {
        JSONLine.print(["name": name])
      } else {
        StandardOutput.write(line: "\(name) and your key for it are gone")
      }
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Gives a node another name.")

    @Flag(help: "Print one JSON object a line; `camctl help json` names the fields.")
    var json = false

    @Argument(help: ArgumentHelp("The node.", valueName: "NAME")) var name: String
    @Argument(help: ArgumentHelp("Its new name.", valueName: "NEW")) var new: String

    func run() throws {
      let nodes = KnownNodes()
      try nodes.rename(name, to: new)
      if json {
        NodeTable.print([try nodes.node(new)], asJSON: true)
      } else {
        StandardOutput.write(line: "\(name) is \(new) now")
      }
    }
  }
}
