import EventLoop
import Logging
import OperatingSystem

/// Tells the operator of connections that the node ended because they took more than their share.
///
/// They may be thousands, so there is at most one line in five seconds for each machine and reason.
final class EndedConnectionLog {
  static let interval = Duration.seconds(5)

  enum Reason: Hashable {
    case tooMany(WatchedEndpoint)
    case tooFast(WatchedEndpoint)
    case takesNothing
    case hasTooManySubscriptions
    case mayNotUseTheNode
    case subscribesToNoTopic
    case sendsWithoutEnd
  }

  private struct Kind: Hashable {
    let origin: String
    let reason: Reason
  }

  private let loop: EventLoop
  private let log: Logger
  private var counts: [Kind: Int] = [:]
  private var report: LoopTimer?

  init(on loop: EventLoop, _ log: Logger) {
    self.loop = loop
    self.log = log
  }

  /// Tells what is left.
  func close() {
    report?.cancel()
    tell()
  }

  /// - Parameter origin: The peer's machine or process.
  func add(_ origin: String, _ reason: Reason) {
    // Many machines are as good as one, and would take memory.
    let kind = Kind(origin: counts.count < 100 ? origin : "others", reason: reason)
    counts[kind, default: 0] += 1
    guard report == nil else { return }
    report = loop.schedule(at: .now + Self.interval) { [weak self] in self?.tell() }
  }

  private func tell() {
    report = nil
    for (kind, count) in counts.sorted(by: { $0.value > $1.value }) {
      let what = count == 1 ? "a connection" : "\(count) connections"
      log.warning("ended \(what) of \(kind.origin): \(kind.reason.words)")
    }
    counts = [:]
  }
}

extension EndedConnectionLog.Reason {
  fileprivate var words: String {
    switch self {
    case .tooMany(let endpoint): "the endpoint \(endpoint.kind) has as many as it may have"
    case .tooFast(let endpoint): "too many begin at the endpoint \(endpoint.kind) within a second"
    case .hasTooManySubscriptions: "it has more subscriptions than it may have"
    case .subscribesToNoTopic: "it subscribes to more than a topic can be"
    case .mayNotUseTheNode: "its key is not authorized any more"
    case .takesNothing: "it takes nothing of what it asked for"
    case .sendsWithoutEnd: "it sends a message that does not end, or faster than the node reads"
    }
  }
}
