import ArgumentParser
import CameraClient
import CameraRig
import Glibc
import Words

extension NodesCommand {
  /// Looks for nodes, and says which of them this user has keys for.
  struct Discover: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Looks for nodes in the network, and says which of them you trust.",
      discussion: """
        It looks for two seconds, or as long as --timeout says. It lists nodes that announce themselves (camerad --announce), which needs an Avahi daemon here; those of \
        --domain, whose SRV records are _camerabus._tcp.DOMAIN; and SEEDs, which are endpoints or names of \
        `camctl nodes list`. It connects to none of them.

        TRUSTED compares what a node says of its key with the keys of the nodes that you know. Anybody in the network \
        can say anything, so a node that is not trusted gets nothing from you until you have its key: ask its owner \
        for an invitation, and run `camctl nodes add`. Only a connection proves a key.
        """)

    @Option(
      help: ArgumentHelp(
        "How long to look: \(DurationText.forms); default: 2s.", valueName: "DURATION"),
      transform: DurationText.positive)
    var timeout: Duration?

    @Option(
      help: ArgumentHelp(
        "End as soon as there are so many; exit status 75 if there are fewer in the end.",
        valueName: "N"),
      transform: PositiveCount.parse)
    var count: Int?

    @Option(
      name: .customLong("domain"),
      help: ArgumentHelp(
        "Ask the name servers for the nodes of a domain; repeatable.", valueName: "DOMAIN"))
    var domains: [String] = []

    @Flag(help: "Do not look for nodes that announce themselves.")
    var noBrowse = false

    @Flag(help: "Print one JSON object a line; `camctl help json` names the fields.")
    var json = false

    @Argument(
      help: ArgumentHelp("An endpoint or a name that may be a node.", valueName: "SEED"))
    var seeds: [String] = []

    func validate() throws {
      if noBrowse, domains.isEmpty, seeds.isEmpty {
        throw ValidationError("--no-browse leaves nowhere to look: add --domain, or seeds")
      }
    }

    func run() async throws {
      let limit = timeout ?? .seconds(2)
      let discovery = NodeDiscovery(browses: !noBrowse, domains: domains, seeds: seeds)
      let found: DiscoveredNodes
      do throws(CameraBusError) {
        found = try await discovery.nodes(within: limit, atLeast: count)
      } catch {
        throw error.code == .invalidArgument ? CommandFailure.usage(error.message) : error
      }
      CandidateTable.print(found.candidates, asJSON: json)
      if found.candidates.count < count ?? .max {
        for hindrance in found.hindrances { StandardError.write(line: "camctl: \(hindrance)") }
      }
      if found.isTruncated {
        StandardError.write(
          line:
            "camctl: more nodes announce themselves than are listed: somebody may flood the network"
        )
      }
      if let count, found.candidates.count < count {
        throw CommandFailure(
          code: CameraBusError.Code.timedOut.rawValue,
          message:
            "\(found.candidates.count) of \(count) nodes were found in \(limit.words): look longer with --timeout",
          status: EX_TEMPFAIL, isRetryable: true)
      }
      if found.candidates.isEmpty, !json {
        StandardOutput.write(
          line:
            "no node was found in \(limit.words): start one with camerad --announce, or look longer with --timeout"
        )
      }
    }
  }
}

/// Nodes that were found, and whether the user trusts them.
private enum CandidateTable {
  private struct Row: Encodable {
    let name: String
    let endpoints: [String]
    let source: String
    let protocolVersion: Int?
    let release: String?
    let fingerprint: String?
    let needsKey: Bool?
    let trust: String
    let knownAs: String?

    init(_ candidate: NodeCandidate) {
      name = candidate.name
      endpoints = candidate.endpoints
      source = candidate.source.rawValue
      protocolVersion = candidate.protocolVersion
      release = candidate.release
      (fingerprint, needsKey) =
        switch candidate.key {
        case .fingerprint(let text): (text, true)
        case .none: (nil, false)
        case .unknown: (nil, nil)
        }
      (trust, knownAs) =
        switch candidate.trust {
        case .trusted(let name): ("trusted", name)
        case .wrongKey(let name): ("wrongKey", name)
        case .unproven(let name): ("unproven", name)
        case .unknown: ("unknown", nil)
        }
    }
  }

  static func print(_ candidates: [NodeCandidate], asJSON: Bool) {
    guard !asJSON else {
      for candidate in candidates { JSONLine.print(Row(candidate)) }
      return
    }
    guard !candidates.isEmpty else { return }
    var table = Table("NAME", "ENDPOINT", "RELEASE", "PROTOCOL", "KEY", "TRUSTED")
    for candidate in candidates {
      table.add(
        candidate.name, candidate.endpoints.joined(separator: ", "), candidate.release ?? "",
        candidate.protocolVersion.map { "\($0)" } ?? "", candidate.key.words,
        candidate.trust.words.styled(candidate.trust.style))
    }
    table.print()
  }
}

extension NodeCandidate.Key {
  /// The beginning of a fingerprint, which is enough for people to tell keys apart.
  fileprivate var words: String {
    switch self {
    case .fingerprint(let text): "\(text.prefix(16))…"
    case .none: "none"
    case .unknown: ""
    }
  }
}

extension NodeCandidate.Trust {
  fileprivate var words: String {
    switch self {
    case .trusted(let name): "yes, as \(name)"
    case .wrongKey(let name): "no: not the key of your node \(name)"
    case .unproven(let name): "not yet: says no key, and is where your node \(name) is"
    case .unknown: "no: you have no key for it"
    }
  }

  fileprivate var style: Style {
    switch self {
    case .trusted: .plain
    case .wrongKey: .bad
    case .unproven, .unknown: .faint
    }
  }
}
