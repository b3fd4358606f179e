package import CameraProtocol

/// Finds out from the numbers of received frames how many did not come, and where they were lost.
/// Pure.
package struct LossTracker {
  package private(set) var counters = LossCounters()
  private var publications = SequenceTracker()
  private var lastFrame: UInt64 = 0
  /// Publications lost since the last frame that was received.
  private var lostSinceFrame: UInt64 = 0

  package init() {}

  /// - Parameters:
  ///   - sequence: The publication's number on its topic.
  ///   - frame: The camera's number of the frame; it begins anew with every start of the camera.
  package mutating func received(_ sequence: UInt64, of epoch: Epoch, frame: UInt64) {
    if case .next(let missing) = publications.arrived(sequence, of: epoch) {
      lost(missing)
      if frame > lastFrame {
        let skipped = frame - lastFrame - 1
        // Each frame lost on the bus took a number of the camera's too.
        counters.notPublished += skipped > lostSinceFrame ? skipped - lostSinceFrame : 0
      }
    }
    lastFrame = frame
    lostSinceFrame = 0
  }

  /// A heartbeat says that this was the topic's last publication.
  package mutating func heartbeat(_ sequence: UInt64, of epoch: Epoch) {
    lost(publications.ended(at: sequence, of: epoch))
  }

  package mutating func dropped() {
    counters.droppedByClient += 1
  }

  private mutating func lost(_ count: UInt64) {
    counters.lostOnBus += count
    lostSinceFrame += count
  }
}
