package import CameraProtocol
import OperatingSystem
import SwiftProtobuf

/// What a node's clocks showed between two moments of this machine's monotonic clock.
///
/// Several readings together bound how far the node's clock is ahead, whatever the network does:
/// see `ClockEstimate` of CameraRig.
public struct ClockReading: Hashable, Sendable, Codable {
  /// When the request was sent, by this machine's clock.
  public var sent: MonotonicInstant
  /// When the node read it, by the node's clock.
  public var read: MonotonicInstant
  /// When the node wrote its answer, by the node's clocks.
  public var answered: Timestamp
  /// When the answer was here, by this machine's clock.
  public var received: MonotonicInstant
  /// Who states ``Timestamp/wallError`` of ``answered``; nil if nobody does.
  public var wallSource: WallSource?
  /// Names the node's monotonic clock. Nodes with the same name have the same clock; another name
  /// than before is another clock. Empty if the node does not know it.
  public var clockID: String

  private enum CodingKeys: String, CodingKey {
    case sent = "sentNanoseconds"
    case read = "readNanoseconds"
    case answered
    case received = "receivedNanoseconds"
    case wallSource, clockID
  }

  /// A reading, for a program that simulates them.
  public init(
    sent: MonotonicInstant, read: MonotonicInstant, answered: Timestamp, received: MonotonicInstant,
    wallSource: WallSource? = nil, clockID: String = ""
  ) {
    self.sent = sent
    self.read = read
    self.answered = answered
    self.received = received
    self.wallSource = wallSource
    self.clockID = clockID
  }
}

extension CameraBus {
  /// Reads the node's clocks.
  ///
  /// - Throws: `unreachable`, `timedOut`, `closed`; `cancelled` when the task is.
  public func clock() async throws(CameraBusError) -> ClockReading {
    // On the thread that sends and receives, so that a hop to another one does not count as a delay
    // of the network.
    try await withTaskExecutorPreference(executor) { () async throws(CameraBusError) in
      try await readClock()
    }
  }

  @concurrent private func readClock() async throws(CameraBusError) -> ClockReading {
    let sent = MonotonicInstant.now
    let reply = try await request(.clock(WireClockRequest()), .reading)
    let received = MonotonicInstant.now
    guard case .clock(let clock) = reply,
      let reading = ClockReading(clock, sent: sent, received: received)
    else { throw .unexpectedReply }
    return reading
  }
}

extension ClockReading {
  /// Nil for an answer that no clock gives: it has no moment, or one before the clock's beginning.
  package init?(_ wire: WireClockReply, sent: MonotonicInstant, received: MonotonicInstant) {
    guard wire.hasAnswered, wire.readMonotonicNs >= 0,
      wire.readMonotonicNs <= wire.answered.monotonicNs,
      wire.answered.wallErrorNs >= 0, wire.clockID.utf8.count <= 128
    else { return nil }
    self.init(
      sent: sent, read: MonotonicInstant(nanoseconds: wire.readMonotonicNs),
      answered: Timestamp(wire.answered), received: received,
      wallSource: WallSource(wire.wallSource), clockID: wire.clockID)
  }
}
