import CameraProtocol
import ZeroMQ

/// Counts the subscriptions of each prefix. Pure.
///
/// XPUB reports the beginning and the end of every subscription, even when a subscriber vanishes,
/// so the counts are exact.
struct SubscriptionTable: Equatable {
  private var counts: [[UInt8]: Int] = [:]

  mutating func apply(_ change: Subscription) {
    // A prefix that is longer than every topic matches none.
    guard change.prefix.count <= Topic.maximumByteCount else { return }
    if change.isBeginning {
      counts[change.prefix, default: 0] += 1
    } else if let count = counts[change.prefix] {
      counts[change.prefix] = count > 1 ? count - 1 : nil
    }
  }

  /// The number of subscriptions that match `topic`.
  func subscribers(of topic: String) -> Int {
    counts.reduce(0) { sum, entry in topic.utf8.starts(with: entry.key) ? sum + entry.value : sum }
  }

  /// The streams of a camera that have subscribers. A prefix that is shorter than a stream's name
  /// only means `preview`, because a subscription to everything must not start every encoder.
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
