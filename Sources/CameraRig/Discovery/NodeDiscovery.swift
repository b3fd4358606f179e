public import CameraClient
import Discovery
import Keys

/// Looks for nodes: those that announce themselves by multicast DNS, those that the records of a
/// domain name, and seeds.
///
/// It connects to none of them, and trusts none: candidates come with what this user's keys say of
/// them. `camctl nodes add` makes a candidate a node that the user knows.
///
/// ```swift
/// let found = try await NodeDiscovery().nodes(within: .seconds(2))
/// for candidate in found.candidates where candidate.isTrusted {
///   print(candidate.name, candidate.endpoints)
/// }
/// ```
public struct NodeDiscovery: Hashable, Sendable {
  /// The most domains that are asked.
  public static let mostDomains = NodeSearch.mostDomains
  /// The most seeds.
  public static let mostSeeds = 256

  /// Whether to browse for nodes that announce themselves. It needs an Avahi daemon on this
  /// machine.
  public var browses: Bool
  /// The domains whose SRV records `_camerabus._tcp.DOMAIN` name nodes.
  public var domains: [String]
  /// Control endpoints, or names of nodes that this user knows.
  public var seeds: [String]

  /// A search in these places.
  public init(browses: Bool = true, domains: [String] = [], seeds: [String] = []) {
    self.browses = browses
    self.domains = domains
    self.seeds = seeds
  }

  /// Begins to look, until the sequence is released.
  /// - Throws: `invalidArgument` for a domain or a seed that is none, for too many of them, and for
  ///   files of the user's nodes that cannot be used.
  public func candidates() throws(CameraBusError) -> NodeCandidates {
    try candidates(knowing: KnownNodes())
  }

  /// Looks for a while.
  /// - Parameters:
  ///   - limit: How long to look. It takes less time only if nothing more can come.
  ///   - count: Ends as soon as there are so many candidates.
  /// - Throws: As ``candidates()``, and `cancelled`.
  public func nodes(
    within limit: Duration = .seconds(2), atLeast count: Int? = nil
  ) async throws(CameraBusError) -> DiscoveredNodes {
    let candidates = try candidates()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: limit) }
      group.addTask {
        for await found in candidates {
          if found.isOver || count.map({ found.candidates.count >= $0 }) == true { break }
        }
      }
      await group.next()
      group.cancelAll()
    }
    guard !Task.isCancelled else {
      throw CameraBusError(.cancelled, "the search for nodes was cancelled")
    }
    return candidates.present
  }

  func candidates(knowing nodes: KnownNodes) throws(CameraBusError) -> NodeCandidates {
    let known: [KnownNode]
    do throws(KeyError) {
      known = try nodes.all()
    } catch {
      throw CameraBusError(.invalidArgument, error.description, cause: error)
    }
    let keys = KnownKeys(known)
    guard seeds.count <= Self.mostSeeds else {
      throw CameraBusError(
        .invalidArgument, "there are \(seeds.count) seeds: give at most \(Self.mostSeeds)",
        field: "seeds")
    }
    guard domains.count <= Self.mostDomains else {
      throw CameraBusError(
        .invalidArgument, "there are \(domains.count) domains: give at most \(Self.mostDomains)",
        field: "domains")
    }
    var names: [DomainName] = []
    for text in domains {
      guard let name = DomainName(text) else {
        throw CameraBusError(
          .invalidArgument, "'\(text)' is no domain: write one such as example.org, in ASCII",
          field: "domains")
      }
      if !names.contains(name) { names.append(name) }
    }
    var given: [NodeCandidate] = []
    for seed in seeds {
      let candidate = try Self.candidate(seed, known, keys)
      if !given.contains(candidate) { given.append(candidate) }
    }
    return NodeCandidates(
      NodeSearch(browses: browses, domains: names), seeds: given, known: keys)
  }

  private static func candidate(
    _ seed: String, _ nodes: [KnownNode], _ known: KnownKeys
  ) throws(CameraBusError) -> NodeCandidate {
    if let node = nodes.first(where: { $0.name == seed }) {
      return NodeCandidate(name: node.name, at: node.control, from: .seed, known)
    }
    guard (try? Endpoint(seed)) != nil else {
      throw CameraBusError(
        .invalidArgument,
        "the seed '\(seed)' is neither an endpoint, such as tcp://192.168.1.10:5570, nor the name of a node in "
          + "`camctl nodes list`", field: "seeds")
    }
    return NodeCandidate(name: seed, at: seed, from: .seed, known)
  }
}

/// What a search for nodes has found so far.
public struct DiscoveredNodes: Hashable, Sendable {
  /// Those that announce themselves by name, then those of the domains as these prefer them, then
  /// the seeds.
  public let candidates: [NodeCandidate]
  /// What hinders the search, as sentences that say what to do: there is no Avahi daemon, for
  /// example. Nodes may still be found otherwise.
  public let hindrances: [String]
  /// Whether more nodes announce themselves than are listed, which are 256.
  public let isTruncated: Bool
  /// Whether nothing more can come.
  public let isOver: Bool
}

/// The candidates of a search, each time that they change.
///
/// Every element has all of them, beginning with those that are known at once. The search lasts as
/// long as the sequence.
///
/// Policy: only the newest state waits for the reader. There is one reader at a time.
public struct NodeCandidates: AsyncSequence, Sendable {
  /// All candidates that there are.
  public typealias Element = DiscoveredNodes
  /// It does not fail. What hinders it is part of the element.
  public typealias Failure = Never

  private let search: NodeSearch
  private let seeds: [NodeCandidate]
  private let known: KnownKeys

  init(_ search: NodeSearch, seeds: [NodeCandidate], known: KnownKeys) {
    self.search = search
    self.seeds = seeds
    self.known = known
  }

  /// The candidates that there are now.
  public var present: DiscoveredNodes {
    let findings = search.findings
    let announced = findings.nodes.map { NodeCandidate($0, known) }
    let recorded = findings.records.map { _, record in
      NodeCandidate(name: record.host, at: record.endpoint, from: .domain, known)
    }
    return DiscoveredNodes(
      candidates: announced + recorded + seeds, hindrances: findings.hindrances,
      isTruncated: findings.isTruncated, isOver: findings.isOver)
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator {
    Iterator(candidates: self, changes: search.changes.makeAsyncIterator())
  }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let candidates: NodeCandidates
    fileprivate var changes: AsyncStream<Void>.Iterator

    /// The candidates after the next change. Nil when the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> DiscoveredNodes? {
      await changes.next(isolation: actor) == nil ? nil : candidates.present
    }
  }
}
