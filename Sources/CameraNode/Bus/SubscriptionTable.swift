import CameraProtocol

/// Who listens to what: how many subscriptions each prefix has. Pure.
///
/// XPUB in its most verbose mode tells of every subscription and its end, so the counts are exact, also after a
/// subscriber vanished.
struct SubscriptionTable {
  private var counts: [[UInt8]: Int] = [:]

  /// Takes a subscription message of an XPUB socket in: one byte 1 or 0, then the prefix.
  /// - Returns: false when it is none.
  mutating func apply(_ message: [UInt8]) -> Bool {
    guard let kind = message.first, kind <= 1 else { return false }
    let prefix = Array(message.dropFirst())
    if kind == 1 {
      counts[prefix, default: 0] += 1
    } else if let count = counts[prefix] {
      counts[prefix] = count > 1 ? count - 1 : nil
    }
    return true
  }

  /// Subscriptions that a publication on `topic` reaches.
  func subscribers(of topic: String) -> Int {
    counts.reduce(0) { sum, entry in topic.utf8.starts(with: entry.key) ? sum + entry.value : sum }
  }

  /// The names of a camera's streams that somebody wants: those named whole, and `preview` where a shorter
  /// prefix covers the camera, for "everything" must not mean every encoder there is.
  func wantedStreams(of camera: String) -> Set<String> {
    var wanted: Set<String> = []
    let cameraPrefix = Array("frame/\(camera)/".utf8)
    for prefix in counts.keys {
      if let topic = FrameTopic(parsing: prefix), topic.camera == camera {
        wanted.insert(topic.stream)
      } else if cameraPrefix.starts(with: prefix) {
        wanted.insert(FrameTopic.previewStream)
      } else if prefix.starts(with: cameraPrefix),
        "preview/".utf8.starts(with: prefix.dropFirst(cameraPrefix.count))
      {
        wanted.insert(FrameTopic.previewStream)
      }
    }
    return wanted
  }
}
