import CameraProtocol
import OperatingSystem

/// The right of one client to configure a camera and to set its controls alone.
struct Lease: Equatable {
  /// The id of the request that acquired it.
  let id: RequestID
  /// Whose requests may use it. Without keys all may that know its id.
  let owner: Holder
  /// How others know the holder.
  var holder: String
  let since: MonotonicTime
  var term: Duration
  var expiry: MonotonicTime
}

/// Who holds which camera. Pure: no clock of its own.
struct LeaseTable {
  private(set) var leases: [String: Lease] = [:]

  /// When the next lease ends.
  var nextExpiry: MonotonicTime? { leases.values.map(\.expiry).min() }

  subscript(camera: String) -> Lease? { leases[camera] }

  /// The camera whose lease has this id, if the client may use it.
  func camera(of id: RequestID, for client: Holder) -> String? {
    leases.first { $0.value.id == id && $0.value.owner.isSame(client: client) }?.key
  }

  /// The camera, other than this one, whose lease has this id. Leases of all clients count.
  func camera(of id: RequestID, otherThan camera: String) -> String? {
    leases.first { $0.value.id == id && $0.key != camera }?.key
  }

  mutating func put(_ lease: Lease, on camera: String) { leases[camera] = lease }

  /// A request came with this lease.
  mutating func renew(_ id: RequestID, by client: Holder, at now: MonotonicTime) {
    guard let camera = camera(of: id, for: client), let term = leases[camera]?.term else { return }
    leases[camera]?.expiry = now + term
  }

  mutating func end(on camera: String) { leases[camera] = nil }

  /// - Returns: The leases that have ended, each with its camera.
  mutating func expire(at now: MonotonicTime) -> [(camera: String, lease: Lease)] {
    remove { $0.expiry <= now }
  }

  /// A client may not use the node any more.
  /// - Returns: The leases that have ended, each with its camera.
  mutating func end(of client: Holder) -> [(camera: String, lease: Lease)] {
    remove { $0.owner == client }
  }

  private mutating func remove(_ isOver: (Lease) -> Bool) -> [(camera: String, lease: Lease)] {
    let ended = leases.filter { isOver($0.value) }
    for camera in ended.keys { leases[camera] = nil }
    return ended.sorted { $0.key < $1.key }.map { (camera: $0.key, lease: $0.value) }
  }
}
