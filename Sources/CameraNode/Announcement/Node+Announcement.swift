import Discovery
import Logging
import OperatingSystem
import ZeroMQ

extension Node {
  /// Announces the node until its teardown, if other machines can reach it.
  /// - Parameters:
  ///   - control: The control endpoint as it is bound.
  ///   - key: The node's key; nil if it needs none over tcp.
  static func announce(
    _ configuration: NodeConfiguration, at control: String, key: CurvePublicKey?, log: Logger,
    _ teardown: Teardown
  ) {
    guard let place = AnnouncedPlace(control) else {
      return log.warning(
        "the node is not announced, because only this machine reaches \(control): give control an address that others reach, such as tcp://192.168.1.10:5570"
      )
    }
    let announcement = NodeAnnouncement(
      name: configuration.name,
      key: key.map { .fingerprint(KeyFingerprint(of: $0)) } ?? .none)
    let wasGood = Mutex(true)
    let announcer = Announcer(announcement, at: place) { news in
      // Who was told of a problem is told of its end too.
      let isUsual = wasGood.withLock { wasGood in
        defer { wasGood = news.isGood }
        return wasGood && news.isGood
      }
      log.log(level: isUsual ? .info : .warning, "\(news)")
    }
    teardown.addBlocking { announcer.stop() }
  }
}

extension AnnouncementNews {
  /// Whether all is as it was wanted.
  fileprivate var isGood: Bool { if case .announced(_, true) = self { true } else { false } }
}
