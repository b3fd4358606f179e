import CameraClient
import Discovery
import Keys

/// A node that may be there: somebody has announced it, written it into the domain name system, or
/// given it as a seed.
///
/// What it says is a claim, which anybody in the network can make. ``trust`` compares the claim
/// with the keys that this user has. The proof comes with the connection, which needs the node's
/// own key.
public struct NodeCandidate: Hashable, Sendable {
  /// Where a candidate comes from.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// The node announces itself by multicast DNS (`camerad --announce`).
    case announcement
    /// An SRV record of a domain.
    case domain
    /// A seed that the caller has given.
    case seed
  }

  /// What a node says of its key.
  public enum Key: Hashable, Sendable {
    /// The SHA-256 digest of its public key, as 64 hexadecimal digits.
    case fingerprint(String)
    /// It needs no key: everybody may use it, and nobody can tell it from another one.
    case none
    /// It says nothing. Seeds and records of a domain never do.
    case unknown
  }

  /// What this user's keys say of a candidate.
  public enum Trust: Hashable, Sendable {
    /// It claims the key of a node that this user knows, by this name.
    case trusted(as: String)
    /// It has the endpoint or the name of a node that this user knows by this name, and not its
    /// key. The node may have a new key, or another machine may have taken its place.
    case wrongKey(of: String)
    /// It has the endpoint of a node that this user knows by this name, and says no key. The
    /// connection will tell.
    case unproven(as: String)
    /// This user has no key for it.
    case unknown
  }

  /// The name that the node gives itself: one line of at most 64 printable characters. Of a record
  /// the machine's name, and of a seed the user's name for the node, or the endpoint.
  public let name: String
  /// The control endpoints, at least one, those that reach furthest first: `tcp://HOST:PORT`.
  public let endpoints: [String]
  /// The version of the protocol; nil if it says none.
  public let protocolVersion: Int?
  /// The release of CameraBus; nil if it says none.
  public let release: String?
  /// What it says of its key.
  public let key: Key
  /// What this user's keys say of it.
  public let trust: Trust
  /// Where it comes from.
  public let source: Source

  /// Whether it claims the key of a node that this user knows.
  public var isTrusted: Bool { if case .trusted = trust { true } else { false } }
}

extension NodeCandidate {
  init(_ node: FoundNode, _ known: KnownKeys) {
    let key = node.announcement.key
    self.init(
      name: node.name, endpoints: node.endpoints,
      protocolVersion: node.announcement.protocolVersion, release: node.announcement.release,
      key: Key(key), trust: known.trust(in: node.name, at: node.endpoints, with: key),
      source: .announcement)
  }

  /// One of which nothing but the endpoint is known.
  init(name: String, at endpoint: String, from source: Source, _ known: KnownKeys) {
    self.init(
      name: name, endpoints: [endpoint], protocolVersion: nil, release: nil, key: .unknown,
      trust: known.trust(in: nil, at: [endpoint], with: .unknown), source: source)
  }
}

extension NodeCandidate.Key {
  init(_ key: AnnouncedKey) {
    self =
      switch key {
      case .fingerprint(let fingerprint): .fingerprint(fingerprint.description)
      case .none: .none
      case .unknown: .unknown
      }
  }
}

/// The keys of the nodes that the user knows. A pure value.
struct KnownKeys {
  private let nodes: [(node: KnownNode, fingerprint: KeyFingerprint)]

  init(_ nodes: [KnownNode]) {
    self.nodes = nodes.map { ($0, KeyFingerprint(of: $0.key)) }
  }

  /// - Parameters:
  ///   - name: The name that the node gives itself; nil if it gives none.
  ///   - key: What it says of its key.
  func trust(
    in name: String?, at endpoints: [String], with key: AnnouncedKey
  ) -> NodeCandidate.Trust {
    if case .fingerprint(let fingerprint) = key,
      let known = nodes.first(where: { $0.fingerprint == fingerprint })
    {
      return .trusted(as: known.node.name)
    }
    let there = nodes.first { endpoints.contains($0.node.control) }
    if let there {
      return key == .unknown ? .unproven(as: there.node.name) : .wrongKey(of: there.node.name)
    }
    let namesake = nodes.first { $0.node.name == name }
    return namesake.map { .wrongKey(of: $0.node.name) } ?? .unknown
  }
}
