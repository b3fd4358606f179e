import CameraProtocol
import Capture
import OperatingSystem

/// The photos of one camera that are under way, shared out so that few clients cannot take all
/// places. Pure.
///
/// A client takes as many as it likes, up to its own limit, while there is room for everyone. When
/// there is less, it takes one at a time. So clients that want much leave places for those that
/// want one photo, and nobody loses a photo that was accepted, with one exception: a late photo
/// whose client has gone gives its place to the late photo of another.
struct PhotoPlaces {
  /// The most photos, from the request until the photo is stored.
  static let limit = PhotoOutput.maximumWaiting
  /// With this many photos a client gets a place only if it has none.
  static let sharedLimit = 32
  /// The most photos of one client.
  static let limitPerClient = WireLimits.photos
  /// The most photos of one client that wait for a frame or an encoder.
  static let unmadePerClient = WireLimits.unmadePhotos
  /// A photo of a moment that is further away than this is a late one. There are few places for
  /// those, because they would keep others from taking photos for as long.
  static let lateness = Duration.seconds(10)
  static let lateLimit = 8
  static let latePerClient = 4

  private struct Place {
    let client: Holder
    let number: Int
    let isLate: Bool
    var isMade = false
  }

  private var places: [RequestID: Place] = [:]
  private var lastNumber = 0

  /// Whether a client that has no place gets none.
  var isFull: Bool { places.count >= Self.limit }

  /// - Parameter isAbandoned: Whether no client waits for a late photo any more.
  /// - Returns: The photo that had the place, which must end.
  /// - Throws: `overloaded` when the client, or all clients together, have no more places.
  @discardableResult
  mutating func take(
    _ id: RequestID, for client: Holder, isLate: Bool = false,
    isAbandoned: (RequestID) -> Bool = { _ in false }
  ) throws(CaptureError) -> RequestID? {
    let own = places.values.filter { $0.client == client }
    let unmade = own.count { !$0.isMade }
    guard unmade < Self.unmadePerClient else {
      throw .overloaded("\(client.words) waits for \(unmade) pictures: wait for one of them")
    }
    guard own.count < Self.limitPerClient else {
      throw .overloaded(
        "\(client.words) has \(own.count) photos under way: wait for one to be stored")
    }
    guard places.count < (own.isEmpty ? Self.limit : Self.sharedLimit) else {
      throw .overloaded(
        own.isEmpty
          ? "\(places.count) photos are under way: wait for one to be stored"
          : "\(places.count) photos are under way, so each client gets one more only when it has "
            + "none: wait for yours")
    }
    let loser =
      isLate ? try latePlace(of: client, isAbandoned: isAbandoned) : nil
    if let loser { places[loser] = nil }
    lastNumber += 1
    places[id] = Place(client: client, number: lastNumber, isLate: isLate)
    return loser
  }

  /// - Returns: The oldest late photo that is abandoned, if a place is free only without it.
  private func latePlace(
    of client: Holder, isAbandoned: (RequestID) -> Bool
  ) throws(CaptureError) -> RequestID? {
    let own = places.values.count { $0.client == client && $0.isLate }
    let late = places.values.count(where: \.isLate)
    guard own >= Self.latePerClient || late >= Self.lateLimit else { return nil }
    let abandoned = places.filter { $0.value.isLate && !$0.value.isMade && isAbandoned($0.key) }
    if own < Self.latePerClient,
      let oldest = abandoned.min(by: { $0.value.number < $1.value.number })
    {
      return oldest.key
    }
    let (whose, count) =
      own >= Self.latePerClient ? ("of \(client.words) ", own) : ("", late)
    throw .overloaded(
      "\(count) photos \(whose)wait for a moment that was more than 10 s away: "
        + "ask when the moment is nearer")
  }

  /// The photo has its picture, which is stored next.
  mutating func made(_ id: RequestID) { places[id]?.isMade = true }

  mutating func free(_ id: RequestID) { places[id] = nil }

  /// Gives a photo's place to another one.
  /// - Returns: Whether it had one.
  mutating func pass(_ id: RequestID, to other: RequestID) -> Bool {
    guard let place = places.removeValue(forKey: id) else { return false }
    places[other] = place
    return true
  }
}

extension PhotoTiming {
  func isLate(since asked: MonotonicTime) -> Bool {
    guard case .at(let moment) = self else { return false }
    return moment > asked + PhotoPlaces.lateness
  }
}

extension CaptureError {
  fileprivate static func overloaded(_ message: String) -> CaptureError {
    CaptureError(.overloaded, message)
  }
}
