extension EventTracker {
  /// An event as it was received.
  package struct Arrival {
    var topic: String
    var sequence: UInt64
    /// When the node sent it, by the node's clock.
    var sent: Int64
    var event: Event
    /// The bytes that were received for the event.
    var byteCount: Int

    package init(
      _ event: Event, on topic: String, _ sequence: UInt64, sent: Int64, byteCount: Int = 0
    ) {
      self.topic = topic
      self.sequence = sequence
      self.sent = sent
      self.event = event
      self.byteCount = byteCount
    }
  }

  /// An element for the reader.
  package enum Output {
    case snapshot(Snapshot)
    case event(Event)
    /// This many events of the topic are lost.
    case gap(UInt64, topic: String)
    case nodeRestarted
    case disconnected(Problem?)
    case reconnected
  }

  /// A request to the node.
  package enum Request: Hashable {
    case snapshot
    case replay([EventRange])
  }
}

extension EventTracker.Arrival: Sendable where Event: Sendable {}

/// Some events of one topic.
package struct EventRange: Hashable, Sendable {
  package var topic: String
  package var numbers: Range<UInt64>
}
