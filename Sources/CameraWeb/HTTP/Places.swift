import HTTPTypes
import OperatingSystem

/// A number of places for what may not be done too often at the same time.
final class Places: Sendable {
  /// A place that is taken, until its last reference is released.
  final class Place: Sendable {
    private let places: Places

    fileprivate init(_ places: Places) { self.places = places }

    deinit { places.leave() }
  }

  private let limit: Int
  private let taken = Mutex(0)

  init(_ limit: Int) { self.limit = limit }

  /// How many are taken.
  var count: Int { taken.withLock { $0 } }

  /// - Throws: `busy` if all are taken.
  func take() throws(HTTPFailure) -> Place {
    let isFree = taken.withLock { taken in
      guard taken < limit else { return false }
      taken += 1
      return true
    }
    guard isFree else {
      throw HTTPFailure(
        .serviceUnavailable, "busy",
        "the gateway does this \(limit) times already: try again later",
        isRetryable: true, headers: [.retryAfter: "1"])
    }
    return Place(self)
  }

  private func leave() { taken.withLock { $0 -= 1 } }
}
