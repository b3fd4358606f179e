import CameraProtocol
import Capture

/// The photos of one camera that are under way, shared out so that a client alone cannot take all
/// places. Pure.
struct PhotoPlaces {
  /// The most photos. Each holds a frame. `PhotoOutput` bounds those that wait for a frame or an
  /// encoder; this also bounds those that wait for the disk.
  static let limit = 32
  /// The most photos of one client.
  static let limitPerClient = 24
  /// The most photos of one client that wait for a frame or an encoder. `PhotoOutput` has a few
  /// more places for each.
  static let unmadePerClient = 12

  private struct Place {
    let client: ClientAddress
    var isMade = false
  }

  private var places: [RequestID: Place] = [:]

  var isFull: Bool { places.count >= Self.limit }

  /// - Throws: `overloaded` when the client, or all clients together, have no more places.
  mutating func take(_ id: RequestID, for client: ClientAddress) throws(CaptureError) {
    let own = places.values.filter { $0.client == client }
    let unmade = own.count { !$0.isMade }
    guard unmade < Self.unmadePerClient else {
      throw .overloaded("this connection waits for \(unmade) pictures: wait for one of them")
    }
    guard own.count < Self.limitPerClient else {
      throw .overloaded(
        "this connection has \(own.count) photos under way: wait for one to be stored")
    }
    guard !isFull else {
      throw .overloaded("\(places.count) photos are under way: wait for one to be stored")
    }
    places[id] = Place(client: client)
  }

  /// The photo has its picture, which is stored next.
  mutating func made(_ id: RequestID) { places[id]?.isMade = true }

  mutating func free(_ id: RequestID) { places[id] = nil }
}

extension CaptureError {
  fileprivate static func overloaded(_ message: String) -> CaptureError {
    CaptureError(.overloaded, message)
  }
}
