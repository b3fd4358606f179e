package import CameraProtocol

/// Finds gaps in the publications of one topic. Pure.
package struct SequenceTracker {
  package enum Arrival: Hashable {
    /// The first publication.
    case first
    /// It follows the last one, after this many missing ones.
    case next(missing: UInt64)
    /// It is not newer than the last one.
    case stale
    /// The node was restarted since the last one.
    case restarted
  }

  private var last: (epoch: Epoch, sequence: UInt64)?

  package init() {}

  package mutating func arrived(_ sequence: UInt64, of epoch: Epoch) -> Arrival {
    guard let last else {
      self.last = (epoch, sequence)
      return .first
    }
    guard epoch == last.epoch else {
      self.last = (epoch, sequence)
      return .restarted
    }
    guard sequence > last.sequence else { return .stale }
    self.last = (epoch, sequence)
    return .next(missing: sequence - last.sequence - 1)
  }

  /// Takes the last number from the node, and counts the publications up to it as lost where they
  /// did not come.
  /// - Returns: How many they are.
  package mutating func ended(at sequence: UInt64, of epoch: Epoch) -> UInt64 {
    guard let last, epoch == last.epoch, sequence > last.sequence else { return 0 }
    self.last = (epoch, sequence)
    return sequence - last.sequence
  }
}
