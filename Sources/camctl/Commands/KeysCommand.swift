import ArgumentParser
import CameraClient
import Discovery
import Doctor
import Keys
import OperatingSystem
import ZeroMQ

/// Decides, on a node's machine, which keys may use it.
struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Decides, on the node's machine, who may use it.",
    discussion: """
      A role is one of
        viewer      sees status, events, frames and lists
        operator    also takes photos, records, downloads and sets controls
        controller  also starts and stops cameras, and deletes and protects assets

      A change holds within a second. A node that was started before it had keys needs a restart once. From then on \
      every program needs a key over tcp, also on this machine. The owner's camctl finds the node's own by itself if it is in the \
      default folder; with another --library or --keys, and in Swift and Python, the owner takes an invitation as others do, or \
      uses the node over ipc, where the system says who a user is.
      """,
    subcommands: [
      Show.self, Authorize.self, Change.self, Rename.self, Revoke.self, List.self, Invite.self,
    ]
  )

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the node's public key, which may be known to everybody.")

    @OptionGroup var folder: KeyFolderOptions

    func run() throws {
      try folder.keys.requireFolder()
      let key = try folder.keys.publicKey()
      if folder.json {
        JSONLine.print([
          "nodeKey": key.z85, "fingerprint": KeyFingerprint(of: key).description,
        ])
      } else {
        StandardOutput.write(line: key.z85)
      }
    }
  }

  struct Authorize: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lets a key use the node, by its public half.")

    @OptionGroup var folder: KeyFolderOptions
    @OptionGroup var grant: GrantOptions

    @Argument(help: ArgumentHelp("How to call the key.", valueName: "NAME")) var name: String
    @Argument(
      help: ArgumentHelp(
        "The public key: 40 characters, or a certificate's file.", valueName: "KEY"),
      completion: .file())
    var key: String

    func run() throws {
      let key = try publicKey()
      let authorized = try grant.key(name, key)
      guard try folder.keys.publicKey() != key else {
        throw CommandFailure.usage("this is the node's own key: authorize the key of a program")
      }
      try folder.keys.authorize(authorized)
      folder.report(authorized)
    }

    private func publicKey() throws -> CurvePublicKey {
      // The file goes first, because a path may look like a key.
      if FileStatus.exists(key) { return try KeyFile(key).publicKey() }
      guard let publicKey = try? CurvePublicKey(z85: key) else {
        throw CommandFailure.usage(
          "'\(key)' is neither a public key, which has 40 characters, nor a file with one")
      }
      return publicKey
    }
  }

  struct Change: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Changes what a key may do, for which cameras and how long.",
      discussion: "What is left out stays as it is.")

    @OptionGroup var folder: KeyFolderOptions
    @OptionGroup var change: GrantChangeOptions

    @Argument(
      help: ArgumentHelp("The key's name, as `camctl keys list` shows it.", valueName: "NAME"))
    var name: String

    func run() throws {
      let key = try change.apply(to: folder.keys.authorizedKey(name))
      try folder.keys.replace(key)
      folder.report(key)
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Gives a key another name.",
      discussion: "What it may do stays, and its connections go on.")

    @OptionGroup var folder: KeyFolderOptions

    @Argument(
      help: ArgumentHelp("The key's name, as `camctl keys list` shows it.", valueName: "NAME"))
    var name: String
    @Argument(help: ArgumentHelp("Its new name.", valueName: "NEW")) var new: String

    func run() throws {
      try folder.keys.rename(name, to: new)
      if folder.json {
        KeyTable.print([try folder.keys.authorizedKey(new)], asJSON: true)
      } else {
        StandardOutput.write(line: "\(name) is \(new) now")
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Takes the permission of keys away. Their connections end within a second.")

    @OptionGroup var folder: KeyFolderOptions
    @Argument(
      help: ArgumentHelp("The keys' names, as `camctl keys list` shows them.", valueName: "NAME"))
    var names: [String]

    func run() throws {
      try folder.keys.revoke(names)
      for name in names {
        if folder.json {
          JSONLine.print(["name": name])
        } else {
          StandardOutput.write(line: "\(name) may no longer use the node")
        }
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the keys that may use the node.",
      discussion: "The exit status is 1 if a file among them cannot be used; stderr says which.")

    @OptionGroup var folder: KeyFolderOptions

    func run() throws {
      let authorized = try folder.keys.authorized()
      KeyTable.print(authorized.keys, asJSON: folder.json)
      for mistake in authorized.refused { StandardError.write(line: "camctl: \(mistake)") }
      if !authorized.refused.isEmpty { throw ExitCode.failure }
    }
  }

  struct Invite: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a key for a guest, and prints one line to give to it.",
      discussion: """
        Who has the line can use the node, so hand it over in secret. The guest runs `camctl nodes add` and pastes \
        it. With --keys or --library say --control too, because a folder does not say where its node listens.
        """)

    @OptionGroup var folder: KeyFolderOptions
    @OptionGroup var grant: GrantOptions

    @Option(
      help: ArgumentHelp(
        "Where the guest reaches the node; default, without --keys and --library: this machine's first address, port 5570.",
        valueName: "tcp://HOST:PORT"))
    var control: String?

    @Option(
      help: ArgumentHelp(
        "How the guest may call the node; default: this machine's name.", valueName: "NODE"))
    var node: String?

    @Argument(help: ArgumentHelp("How to call the guest's key.", valueName: "NAME"))
    var name: String

    func validate() throws {
      if control == nil, folder.path != nil || folder.library != nil {
        throw ValidationError(
          "the node of this folder may listen anywhere: say where the guest reaches it with --control tcp://HOST:PORT"
        )
      }
    }

    func run() throws {
      let endpoint = try control ?? Self.standardEndpoint()
      let nodeName = node ?? Self.machineName
      try Endpoint.requireTCP(endpoint)
      try CommandFailure.usage { () throws(KeyError) in
        try Invitation.check(name: nodeName, control: endpoint)
      }
      let guest = try CurveKeyPair.forCommandLines()
      let authorized = try grant.key(name, guest.publicKey)
      let isFirst = folder.keys.presentKey == nil
      let own = try folder.keys.publicKey()
      let invitation = try Invitation(
        name: nodeName, control: endpoint, nodeKey: own, guestKey: guest.secretKey)
      try folder.keys.authorize(authorized)
      if folder.json {
        JSONLine.print(["invitation": invitation.text, "name": name])
      } else {
        // Not broken into lines, however narrow the terminal is.
        StandardOutput.write(painted: invitation.text)
        StandardError.write(
          line:
            "\(name) may use the node as \(authorized.grant), says \(folder.keys.path): give it this line in "
            + "secret, to paste it into `camctl nodes add`")
        if isFirst {
          StandardError.write(
            line:
              "the node has a key of its own from now on: restart it if it runs already. From its next start on it "
              + "lets in no program over tcp without a key, also on this machine")
        }
        if NodePlace(endpoint: endpoint) != nil {
          StandardError.write(
            line: "only this machine reaches \(endpoint): --control names another")
        }
      }
    }

    private static func standardEndpoint() throws -> String {
      guard let address = HostName.firstAddress else {
        throw CommandFailure.usage(
          "this machine has no address in a network: say where the guest reaches it with --control tcp://HOST:5570"
        )
      }
      return "tcp://\(address):5570"
    }

    /// The machine's name in the letters that a node's name may have.
    private static var machineName: String {
      let name = HostName.own.prefix { $0 != "." }
      return KnownNode.isValid(name: String(name)) ? String(name) : "node"
    }
  }
}
