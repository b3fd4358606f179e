import struct Synchronization.Atomic

/// Limits how many shared objects libzmq may hold at once, mainly in the queues of slow peers.
///
/// It knows which objects libzmq still holds, and lending one allocates no memory. Use it only for
/// sockets of one loop.
public final class Lending: Sendable {
  private let places: [Place]

  /// - Parameter limit: The number of objects that may be lent at once.
  public init(limit: Int) {
    places = (0..<limit).map { _ in Place() }
  }

  /// Whether one more object can be lent.
  public var hasRoom: Bool { places.contains(where: \.isFree) }

  /// Takes a place and holds the object until `giveBack`. Check `hasRoom` first: without room the
  /// program ends.
  func lend(_ object: AnyObject) -> Place {
    guard let place = places.first(where: \.isFree) else {
      preconditionFailure("more objects are lent than the limit of \(places.count)")
    }
    place.take(object)
    return place
  }

  /// The place of one lent object.
  final class Place: Sendable {
    /// The address of the retained object, or 0 if the place is free.
    private let object = Atomic<UInt>(0)

    var isFree: Bool { object.load(ordering: .acquiring) == 0 }

    fileprivate func take(_ object: AnyObject) {
      let address = unsafe UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
      self.object.store(address, ordering: .releasing)
    }

    /// Releases the object. May be called on any thread.
    func giveBack() {
      let address = object.exchange(0, ordering: .acquiringAndReleasing)
      guard let object = unsafe UnsafeRawPointer(bitPattern: address) else { return }
      unsafe Unmanaged<AnyObject>.fromOpaque(object).release()
    }
  }
}

/// An object whose bytes a socket sends without a copy.
///
/// Once sent, the bytes must not change. Their address must stay the same for the object's life.
public protocol SharedBytes: AnyObject, Sendable {
  /// Calls `body` with the bytes, which are valid only during the call.
  func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R
}
