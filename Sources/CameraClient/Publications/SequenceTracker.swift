package import CameraProtocol

/// Whether the publications of one topic come without a gap. Pure.
package struct SequenceTracker {
  package enum Arrival: Hashable {
    /// The first that was seen.
    case first
    /// It follows the last one after this many that are missing; 0 when none is.
    case next(missing: UInt64)
    /// It is not newer than the last one.
    case stale
    /// The node was started anew since the last one.
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

  /// The node says that this was the last number: returns how many up to it did not come, and takes
  /// them for lost.
  package mutating func ended(at sequence: UInt64, of epoch: Epoch) -> UInt64 {
    guard let last, epoch == last.epoch, sequence > last.sequence else { return 0 }
    self.last = (epoch, sequence)
    return sequence - last.sequence
  }
}
