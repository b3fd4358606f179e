import Capture
import EventLoop
import ZeroMQ

import struct Synchronization.Atomic

/// The frames of one topic that libzmq holds, in slow subscribers' queues above all: a bounded number.
///
/// Each is memory that the camera's pool is short of for as long as it is held. What goes beyond is sent as a copy, so
/// that however many subscribers stand still, the camera goes on.
final class FrameLoans: Sendable {
  /// Twice what the queue of one subscriber takes, with the frame that is on its way.
  static let limit = 8

  private let count = Atomic<Int>(0)

  /// The frame to be sent without a copy; nil when too many are lent.
  func lend(_ frame: Frame) -> Loan? {
    guard count.load(ordering: .relaxed) < Self.limit else { return nil }
    count.add(1, ordering: .relaxed)
    return Loan(frame, of: self)
  }

  /// A frame that is lent until libzmq lets go of this.
  final class Loan: SharedBytes {
    private let frame: Frame
    private let loans: FrameLoans

    fileprivate init(_ frame: Frame, of loans: FrameLoans) {
      self.frame = frame
      self.loans = loans
    }

    deinit {
      loans.count.subtract(1, ordering: .relaxed)
    }

    func withBytes<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
      try frame.withBytes(body)
    }
  }
}
