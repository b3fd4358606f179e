import OperatingSystem

/// How many requests were answered, by route and status.
final class RequestCounters: Sendable {
  struct Key: Hashable, Comparable, Sendable {
    var route: String
    var code: Int

    static func < (left: Key, right: Key) -> Bool {
      (left.route, left.code) < (right.route, right.code)
    }
  }

  private let state = Mutex([Key: UInt64]())

  func count(_ route: Route, _ code: Int) {
    state.withLock { $0[Key(route: route.name, code: code), default: 0] += 1 }
  }

  var counts: [Key: UInt64] { state.withLock { $0 } }
}
