import struct Synchronization.Atomic

/// A bounded number of objects whose bytes libzmq may hold at a time, in slow peers' queues above all.
///
/// It knows which of them are still out, and sending under it takes no memory. For sockets of one loop.
public final class Lending: Sendable {
  private let places: [Place]

  /// - Parameter limit: How many objects may be out at once.
  public init(limit: Int) {
    places = (0..<limit).map { _ in Place() }
  }

  /// Whether one more object can be lent.
  public var hasRoom: Bool { places.contains(where: \.isFree) }

  /// A place for the object, which is held until `giveBack`. Somebody must have asked `hasRoom`.
  func lend(_ object: AnyObject) -> Place {
    guard let place = places.first(where: \.isFree) else {
      preconditionFailure("more objects are lent than the limit of \(places.count)")
    }
    place.take(object)
    return place
  }

  /// Room for one object that is out.
  final class Place: Sendable {
    /// The address of the object, which this holds; 0 without one.
    private let object = Atomic<UInt>(0)

    var isFree: Bool { object.load(ordering: .acquiring) == 0 }

    fileprivate func take(_ object: AnyObject) {
      let address = unsafe UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
      self.object.store(address, ordering: .releasing)
    }

    /// Lets the object go; from any thread.
    func giveBack() {
      let address = object.exchange(0, ordering: .acquiringAndReleasing)
      guard let object = unsafe UnsafeRawPointer(bitPattern: address) else { return }
      unsafe Unmanaged<AnyObject>.fromOpaque(object).release()
    }
  }
}
