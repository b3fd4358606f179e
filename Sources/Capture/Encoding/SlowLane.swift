import DequeModule
import EventLoop
import OperatingSystem

/// A thread that makes one file after the other. The photos that wait take turns, so that nobody's
/// burst keeps a single photo waiting for long.
final class SlowLane: Sendable {
  let loop: EventLoop
  private let waiting = Mutex(Turns<ObjectIdentifier, @Sendable () -> Void>())

  init(name: String) throws(LoopShortage) {
    loop = try .starting(name: name)
  }

  /// Does the work in the turn of its photo.
  func perform(for photo: ObjectIdentifier?, _ work: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(work, of: photo ?? ObjectIdentifier(self)) }
    loop.perform { [self] in
      let next = waiting.withLock { $0.next() }
      next?()
    }
  }
}

/// Elements of several owners, one of each in turn.
struct Turns<Owner: Hashable, Element> {
  private var owners: Deque<Owner> = []
  private var elements: [Owner: Deque<Element>] = [:]

  mutating func append(_ element: Element, of owner: Owner) {
    if elements[owner] == nil { owners.append(owner) }
    elements[owner, default: []].append(element)
  }

  /// The first element of the owner whose turn it is.
  mutating func next() -> Element? {
    guard let owner = owners.popFirst() else { return nil }
    let element = elements[owner]?.popFirst()
    if elements[owner]?.isEmpty == false {
      owners.append(owner)
    } else {
      elements[owner] = nil
    }
    return element
  }
}
