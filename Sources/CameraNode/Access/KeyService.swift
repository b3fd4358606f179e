import EventLoop
import Glibc
import Keys
import Logging
import OperatingSystem
import Words
import ZeroMQ

/// Applies the folder of keys: at the node's start, whenever a file in it changes, and when a key
/// expires.
// @unchecked: belongs to its loop.
final class KeyService: @unchecked Sendable {
  /// What the node tells of its keys.
  struct News: Equatable {
    /// The names of keys that may use the node from now on, or in another way than before.
    var authorized: [String] = []
    /// The names of keys that may use it no more.
    var revoked: [String] = []
    /// Files that authorize nobody, each with the remedy.
    var mistakes: [String] = []
    /// Peers without a key that may use the node.
    var refusals = 0

    var isEmpty: Bool { self == News() }
  }

  /// A file is written in several steps, and several files are changed together.
  private static let settling = Duration.milliseconds(50)
  /// How often the folder is read if the system does not tell of its changes, which hold within a
  /// second.
  private static let lookInterval = Duration.milliseconds(500)
  /// When a folder that could not be read is read again.
  private static let retryInterval = Duration.seconds(1)
  /// The wall clock may be set, so an expiry is looked at again after this time.
  private static let longestSleep = Duration.seconds(60)
  /// How often refusals are told, at most.
  private static let refusalInterval = Duration.seconds(5)

  private struct Refusals {
    var count = 0
    /// The last one, of which more is known than that it had no key.
    var example: ConnectionRequest?
  }

  private let folder: KeyFolder
  private let nodeKey: CurvePublicKey
  private let list: AccessList
  private var cameras: CameraNames
  private let connections: ConnectionWatch
  private let loop: EventLoop
  private let log: Logger
  private let tell: @Sendable (News) -> Void
  private let keepSets: @Sendable (Set<Set<String>>) -> Void
  private let endRequests: @Sendable (Holder) -> Void
  private var known: [CurvePublicKey: AuthorizedKey] = [:]
  private var mistakes: [String] = []
  private var watch: FolderWatch?
  private var look: LoopTimer?
  private var expiry: LoopTimer?
  /// The peers that were refused and not told yet.
  private let refusals = Mutex(Refusals())
  private var refusalReport: LoopTimer?

  /// - Parameters:
  ///   - cameras: The names of the node's cameras.
  ///   - keepSets: Called with the sets of cameras that keys are limited to.
  ///   - endRequests: Called with each key that may not have any more what it had.
  ///   - tell: Called with what has changed.
  init(
    _ folder: KeyFolder, of nodeKey: CurvePublicKey, for list: AccessList,
    cameras: CameraNames, connections: ConnectionWatch, on loop: EventLoop,
    log: Logger,
    keepSets: @escaping @Sendable (Set<Set<String>>) -> Void,
    endRequests: @escaping @Sendable (Holder) -> Void,
    tell: @escaping @Sendable (News) -> Void
  ) {
    self.folder = folder
    self.nodeKey = nodeKey
    self.list = list
    self.cameras = cameras
    self.connections = connections
    self.loop = loop
    self.log = log
    self.keepSets = keepSets
    self.endRequests = endRequests
    self.tell = tell
  }

  /// Reads the keys and watches the folder.
  func start() {
    do throws(SystemError) {
      watch = try FolderWatch(folder.path, folder.authorizedFolder, on: loop) { [weak self] in
        self?.changed()
      }
    } catch {
      lookByTime(error)
    }
    read()
  }

  /// Looks at the folder again and again, because the system does not tell of its changes.
  private func lookByTime(_ cause: SystemError) {
    watch?.cancel()
    watch = nil
    log.warning(
      """
      keys: \(folder.path) is looked at twice a second, because the system watches no more files for this user \
      (\(cause.reason)): raise fs.inotify.max_user_instances and max_user_watches
      """)
  }

  /// Watches the folders that have the names now. They may be others than before.
  private func renewWatch() {
    do throws(SystemError) {
      try watch?.renew()
    } catch {
      // A folder that is gone is looked for by `read` itself.
      if error.errno == ENOSPC || error.errno == ENOMEM { lookByTime(error) }
    }
  }

  func close() {
    watch?.cancel()
    for timer in [look, expiry, refusalReport] { timer?.cancel() }
  }

  /// The node has other cameras. Can be called on any thread.
  func take(_ cameras: CameraNames) {
    _ = loop.performUnlessStopped { [self] in
      self.cameras = cameras
      changed()
    }
  }

  /// Reads the keys again. Can be called on any thread.
  func reload() { _ = loop.performUnlessStopped { [self] in changed() } }

  private func changed() { look(after: Self.settling) }

  private func look(after pause: Duration) {
    guard look == nil else { return }
    look = loop.schedule(at: .now + pause) { [weak self] in
      self?.look = nil
      self?.read()
    }
  }

  private func read() {
    var news = News()
    var found = AuthorizedKeys()
    var mistakes: [String]
    // Before the folder is read, so that no change is missed.
    renewWatch()
    do throws(KeyError) {
      found = try folder.authorized(inForce: known.mapValues(\.name))
      mistakes = found.refused
      if let other = folder.presentKey, other != nodeKey {
        mistakes.append(
          "\(folder.path) has another key of the node than this node began with: restart the node")
      }
      if !folder.hasSecret {
        mistakes.append(
          "node.key_secret is gone from \(folder.path): restore it, or the node cannot start again")
      }
    } catch {
      let remedy = Folder.exists(folder.path) ? "" : ": put the folder back, or restart the node"
      mistakes = ["no key may use the node (\(error))\(remedy)"]
      // It may be readable again without a change that the watch sees.
      look(after: Self.retryInterval)
    }
    let now = WallTime.nowNanoseconds
    let valid = Dictionary(
      uniqueKeysWithValues: found.keys.filter { !$0.isExpired(at: now) }.map { ($0.key, $0) })
    list.replace(found)
    for (key, before) in known where valid[key] != before {
      // Its subscriptions and requests may be for more than it may have now.
      if valid[key]?.cameras != before.cameras || valid[key] == nil {
        connections.end(user: key.z85)
        endRequests(.peer(key.z85))
      }
      if valid[key] == nil { news.revoked.append(before.name) }
    }
    for (key, new) in valid where known[key] != new { news.authorized.append(new.name) }
    news.mistakes = mistakes.filter { !self.mistakes.contains($0) }
    (known, self.mistakes) = (valid, mistakes)
    keepSets(Set(valid.values.compactMap(\.cameras)))
    report(news, valid)
    scheduleExpiry(valid.values.compactMap(\.expiry).min(), at: now)
    if watch == nil { look(after: Self.lookInterval) }
  }

  private func report(_ news: News, _ keys: [CurvePublicKey: AuthorizedKey]) {
    for key in keys.values.sorted(by: { $0.name < $1.name })
    where news.authorized.contains(key.name) {
      log.warning("keys: \(key.name) may use the node as \(key.grant)")
      let unknown = (key.cameras ?? []).filter {
        !cameras.contains($0) && !cameras.microphones.contains($0)
      }.sorted()
      if !unknown.isEmpty {
        let missing = unknown.joined(separator: ", ")
        log.warning(
          "keys: \(key.name) is for \(missing), which the node does not have: it has \(cameras.words)"
        )
      }
    }
    for name in news.revoked.sorted() { log.warning("keys: \(name) may no longer use the node") }
    for mistake in news.mistakes { log.error("keys: \(mistake)") }
    if !news.isEmpty { tell(news) }
  }

  private func scheduleExpiry(_ next: Int64?, at now: Int64) {
    expiry?.cancel()
    guard let next else { return }
    let pause = min(.nanoseconds(next - now) + .milliseconds(1), Self.longestSleep)
    expiry = loop.schedule(at: .now + pause) { [weak self] in self?.read() }
  }

  // MARK: Refusals

  /// A peer was refused in its handshake. Peers come again and again, so they are counted. Can be
  /// called on any thread.
  /// - Parameter request: Nil for a peer that did not come so far as to show a key.
  func refused(_ request: ConnectionRequest?) {
    let isFirst = refusals.withLock { refusals in
      refusals.count += 1
      refusals.example = request ?? refusals.example
      return refusals.count == 1
    }
    guard isFirst else { return }
    _ = loop.performUnlessStopped { [self] in
      refusalReport = loop.schedule(at: .now + Self.refusalInterval) { [weak self] in
        self?.tellRefusals()
      }
    }
  }

  private func tellRefusals() {
    let told = refusals.withLock { refusals in
      defer { refusals = Refusals() }
      return refusals
    }
    let example = told.example.map { ", the last from \($0.words)" } ?? ""
    log.warning(
      "keys: refused \(told.count.counted("connection")) without an authorized key\(example)")
    tell(News(refusals: told.count))
  }
}

extension ConnectionRequest {
  /// Who asks, for the log. A public key is no secret.
  fileprivate var words: String {
    switch (origin, credentials) {
    case (.process(_, let user, _), _): "user \(user)"
    case (.address(let address), .curve(let key)): "\(address) with the key '\(key.z85)'"
    case (.address(let address), _): address
    case (.unknown, _): "a peer that has gone"
    }
  }
}
