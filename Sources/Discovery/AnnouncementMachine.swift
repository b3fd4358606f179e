/// What to do so that a node is announced, whatever becomes of the daemon and of the node's name.
/// A pure value.
struct AnnouncementMachine {
  /// What happens.
  enum Event: Hashable {
    /// The daemon can take services.
    case ready
    /// The daemon is busy with its own name, and drops its services.
    case notReady
    /// The daemon has announced the service.
    case established
    /// Another service has the name; an alternative one would be this.
    case collision(alternative: String)
    /// The daemon cannot be used.
    case problem(AvahiProblem)
  }

  /// What follows.
  enum Action: Hashable {
    /// Announce the service under this name, and no other one.
    case publish(name: String)
    /// Announce nothing.
    case withdraw
    /// Make a new connection, after a pause.
    case startAgain
    case tell(AnnouncementNews)
  }

  /// How many names in a row may be taken. Another machine could claim every name (RFC 6762,
  /// section 9).
  static let mostCollisions = 15

  private let wanted: String
  private var name: String
  private var collisions = 0
  /// What was told last. It is not told again.
  private var told: AnnouncementNews?

  init(name: String) { (wanted, self.name) = (name, name) }

  mutating func take(_ event: Event) -> [Action] {
    switch event {
    case .ready: return [.publish(name: name)]
    case .notReady: return [.withdraw]
    case .established:
      collisions = 0
      return tell(.announced(name: name, isWanted: name == wanted))
    case .collision(let alternative):
      collisions += 1
      guard collisions <= Self.mostCollisions else {
        (name, collisions) = (wanted, 0)
        return tell(.problem(.refused("every name like \(wanted) is taken"))) + [.startAgain]
      }
      name = alternative
      return [.publish(name: name)]
    case .problem(let problem):
      (name, collisions) = (wanted, 0)
      return tell(.problem(problem))
    }
  }

  private mutating func tell(_ news: AnnouncementNews) -> [Action] {
    guard news != told else { return [] }
    told = news
    return [.tell(news)]
  }
}

/// What becomes of a node's announcement.
package enum AnnouncementNews: Hashable, Sendable, CustomStringConvertible {
  /// It is announced, under its own name or under one beside it, because another node has its own.
  case announced(name: String, isWanted: Bool)
  /// It is not announced now. That changes by itself when the cause is gone.
  case problem(AvahiProblem)

  package var description: String {
    switch self {
    case .announced(let name, true): "the node is announced as \(name)"
    case .announced(let name, false):
      "another node is announced under the same name, so this one is announced as \(name)"
    case .problem(let problem): "the node is not announced: \(problem)"
    }
  }
}
