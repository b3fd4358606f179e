import Glibc
import OperatingSystem

/// A search for nodes, by Avahi and in the domain name system, until it is released. It connects to
/// none of them.
package final class NodeSearch: Sendable {
  /// What there is so far.
  package struct Findings: Sendable {
    /// The nodes that announce themselves, by name.
    package var nodes: [FoundNode] = []
    /// The records of each domain that has some, in the order in which the domains were given.
    package var records: [(domain: DomainName, record: ServiceRecord)] = []
    /// What hinders the search, as sentences with the remedy.
    package var hindrances: [String] = []
    /// Whether there are more nodes than are listed.
    package var isTruncated = false
    /// Whether nothing more can come.
    package var isOver = false
  }

  /// The most domains that are asked at once. Each takes a thread.
  package static let mostDomains = 8

  private let state: SearchState
  private let thread: AvahiThread?

  /// Becomes ready when the findings have changed. Only the newest change waits.
  package var changes: AsyncStream<Void> { state.changes }

  /// Begins at once.
  /// - Parameter domains: At most ``mostDomains``.
  package init(browses: Bool, domains: [DomainName]) {
    let state = SearchState(browses: browses, domains: domains)
    self.state = state
    thread = browses ? AvahiThread { ServiceBrowser(state) } : nil
    for domain in domains.prefix(Self.mostDomains) {
      let thread = SystemThread.start { state.take(domain.services(), of: domain) }
      if let thread { pthread_detach(thread) } else { state.take(.noServer, of: domain) }
    }
  }

  deinit {
    thread?.stop()
    state.end()
  }

  /// What there is now.
  package var findings: Findings { state.findings }
}

/// What a search has found. The threads that look hold it, also after the search was released.
final class SearchState: Sendable {
  private struct Contents {
    var listing = ServiceListing()
    var problem: AvahiProblem?
    var answers: [DomainName: DomainName.Answer] = [:]
  }

  let changes: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let contents: Mutex<Contents>
  private let browses: Bool
  private let domains: [DomainName]

  init(browses: Bool, domains: [DomainName]) {
    (self.browses, self.domains) = (browses, domains)
    contents = Mutex(Contents(problem: browses ? .noAnswer : nil))
    (changes, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    signal.yield()
  }

  func end() { signal.finish() }

  /// Changes the listing of services, and says that Avahi works.
  func change<R: Sendable>(_ body: (inout ServiceListing) -> R) -> R {
    defer { signal.yield() }
    return contents.withLock { contents in
      contents.problem = nil
      return body(&contents.listing)
    }
  }

  func take(_ problem: AvahiProblem) {
    contents.withLock { contents in
      contents.problem = problem
      // Without the daemon nobody tells when they go.
      contents.listing.removeAll()
    }
    signal.yield()
  }

  func take(_ answer: DomainName.Answer, of domain: DomainName) {
    contents.withLock { $0.answers[domain] = answer }
    signal.yield()
  }

  var findings: NodeSearch.Findings {
    let (listing, problem, answers) = contents.withLock { ($0.listing, $0.problem, $0.answers) }
    var findings = NodeSearch.Findings()
    let nodes = listing.nodes
    findings.nodes = Array(nodes.prefix(ServiceListing.mostNodes))
    findings.isTruncated = listing.isTruncated || nodes.count > ServiceListing.mostNodes
    if let problem {
      findings.hindrances.append("nodes that announce themselves are not found: \(problem)")
    }
    for domain in domains {
      switch answers[domain] {
      case .records(let records)?: findings.records += records.map { (domain, $0) }
      case .nothing?:
        findings.hindrances.append(
          "\(domain) names no node: add SRV records for \(NodeAnnouncement.serviceType).\(domain)")
      case .noServer?:
        findings.hindrances.append(
          "no name server answers for \(domain): look into /etc/resolv.conf and try again")
      case nil: break
      }
    }
    let isLooking = browses && problem != .noLibrary && problem != .noThread
    findings.isOver = !isLooking && answers.count == Set(domains).count
    return findings
  }
}
