package import CameraProtocol

/// A camera's readiness as seen from here: the node's word, and the own requests that the node has
/// not answered yet and so cannot have counted. Pure.
package struct ReadinessMachine {
  private var published: Readiness?
  private var unanswered: Set<RequestID> = []

  package init() {}

  /// Nil until the node has said something, and while it is silent.
  package var readiness: Readiness? {
    published == .ready && !unanswered.isEmpty ? .notReadyMomentarily : published
  }

  /// The node's word; nil when it cannot be heard.
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
