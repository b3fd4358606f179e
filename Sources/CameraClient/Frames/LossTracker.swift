package import CameraProtocol
import OperatingSystem

/// Counts the frames that did not come, and where they were lost, by the numbers of those that
/// came. Pure.
package struct LossTracker {
  package private(set) var counters = LossCounters()
  private var publications = SequenceTracker()
  private var lastFrame: UInt64 = 0
  /// Publications lost since the last frame that was received.
  private var lostSinceFrame: UInt64 = 0

  package init() {}

  /// - Parameters:
  ///   - sequence: The publication's number on its topic.
  ///   - frame: The camera's number of the frame, which starts again with every start of the
  ///     camera.
  package mutating func received(_ sequence: UInt64, of epoch: Epoch, frame: UInt64) {
    if case .next(let missing) = publications.arrived(sequence, of: epoch) {
      lost(missing)
      if frame > lastFrame {
        let skipped = frame - lastFrame - 1
        // Frames that were lost on the bus are counted there and have a number of the camera too.
        counters.notPublished = counters.notPublished.addingSaturated(
          skipped.subtractingSaturated(lostSinceFrame))
      }
    }
    lastFrame = frame
    lostSinceFrame = 0
  }

  /// Takes a heartbeat, which has the number of the topic's last publication.
  package mutating func heartbeat(_ sequence: UInt64, of epoch: Epoch) {
    lost(publications.ended(at: sequence, of: epoch))
  }

  package mutating func dropped() {
    counters.droppedByClient += 1
  }

  private mutating func lost(_ count: UInt64) {
    counters.lostOnBus = counters.lostOnBus.addingSaturated(count)
    lostSinceFrame = lostSinceFrame.addingSaturated(count)
  }
}

/// Frames of a stream that its reader did not get, by the place of the loss, counted from the first
/// received frame.
public struct LossCounters: Hashable, Sendable, Codable {
  /// Frames of the camera that the node did not publish on the stream: lost by the camera, damaged,
  /// left out to keep to a rate, or dropped because every encoder was busy.
  /// ``CameraStatus/frames`` and ``CameraStatus/streams`` say which.
  public var notPublished: UInt64 = 0
  /// Frames that were published and lost on the bus, because the network or this machine was too
  /// slow.
  public var lostOnBus: UInt64 = 0
  /// Frames that were received and then dropped for newer ones, by the ``FramePolicy``.
  public var droppedByClient: UInt64 = 0

  /// Nothing lost.
  public init() {}

  /// All of them.
  public var total: UInt64 {
    notPublished.addingSaturated(lostOnBus).addingSaturated(droppedByClient)
  }
}
