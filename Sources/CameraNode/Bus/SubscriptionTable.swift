import CameraProtocol
import ZeroMQ

/// Who listens to what: how many subscriptions each prefix has. Pure.
///
/// XPUB reports every subscription and its end, so the counts are exact, also after a subscriber vanished.
struct SubscriptionTable: Equatable {
  private var counts: [[UInt8]: Int] = [:]

  mutating func apply(_ change: Subscription) {
    // No topic begins with more than the longest topic has.
    guard change.prefix.count <= Topic.maximumByteCount else { return }
    if change.isBeginning {
      counts[change.prefix, default: 0] += 1
    } else if let count = counts[change.prefix] {
      counts[change.prefix] = count > 1 ? count - 1 : nil
    }
  }

  /// Subscriptions that a publication on `topic` reaches.
  func subscribers(of topic: String) -> Int {
    counts.reduce(0) { sum, entry in topic.utf8.starts(with: entry.key) ? sum + entry.value : sum }
  }

  /// The streams of a camera that somebody wants: those named whole, and `preview` where a shorter prefix covers
  /// it, for "everything" must not mean every encoder there is.
  func wantedStreams(of camera: String) -> Set<StreamName> {
    let preview = Topic.frame(camera: camera, stream: .preview).name
    var wanted: Set<StreamName> = []
    for prefix in counts.keys {
      if case .frame(camera, let stream)? = Topic(parsing: prefix) {
        wanted.insert(stream)
      } else if preview.utf8.starts(with: prefix) {
        wanted.insert(.preview)
      }
    }
    return wanted
  }
}
