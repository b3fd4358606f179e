package import CameraProtocol

/// A camera's readiness as this program sees it: the node's last event, and this program's own
/// requests that the node may not have counted yet because it has not answered them. Pure.
package struct ReadinessMachine {
  private var published: Readiness?
  private var unanswered: Set<RequestID> = []

  package init() {}

  /// Nil until the node's first event, and while it is silent.
  package var readiness: Readiness? {
    published == .ready && !unanswered.isEmpty ? .notReadyMomentarily : published
  }

  /// Takes the node's event; nil when it is silent.
  package mutating func published(_ readiness: Readiness?) {
    published = readiness
  }

  package mutating func sent(_ id: RequestID) {
    unanswered.insert(id)
  }

  package mutating func answered(_ id: RequestID) {
    unanswered.remove(id)
  }
}
