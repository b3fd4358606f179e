package import OperatingSystem

/// The moment that a photo should show.
package enum PhotoTiming: Hashable, Sendable {
  /// The frame nearest the moment of the request, before or after it.
  case now
  /// The first frame that certainly began its exposure after the request. The less its timestamp
  /// proves, the later that frame is.
  case next
  /// The frame nearest a moment, past or future.
  case at(MonotonicTime)
  /// The newest frame if its exposure certainly began no longer ago than this, else the next.
  case noOlderThan(Duration)

  /// Whether it asks for a certain moment, which only a frame of that moment can show.
  var isOfMoment: Bool {
    if case .at = self { true } else { false }
  }

  /// Whether any frame from now on will do.
  package var isOfNoMoment: Bool {
    switch self {
    case .now, .next, .noOlderThan: true
    case .at: false
    }
  }

  /// Whether a frame a little earlier will do as well as a later one.
  var isOfNearest: Bool {
    switch self {
    case .now, .at: true
    case .next, .noOlderThan: false
    }
  }

  /// Whether a frame from before the request may be taken.
  package var reachesBack: Bool {
    if case .next = self { false } else { true }
  }

  /// Whether it asks for a moment before this one.
  package func isPast(at now: MonotonicTime) -> Bool {
    if case .at(let moment) = self { moment < now } else { false }
  }

  /// - Throws: `deadlineExceeded` or `invalidArgument` if its frame cannot come in time.
  package func check(deadline: MonotonicTime) throws(CaptureError) {
    guard deadline > .now else { throw .deadlineExceeded }
    guard case .at(let moment) = self, moment >= deadline else { return }
    throw CaptureError(
      .invalidArgument,
      "the moment asked for lies after the request's deadline, which is at most a day away: ask when it is nearer, "
        + "or wait longer",
      part: .moment)
  }
}

/// A photo's timing as one of two rules for choosing a frame of the ring.
struct PhotoTarget: Hashable, Sendable {
  enum Rule: Hashable, Sendable {
    /// The frame whose timestamp is nearest.
    case nearest
    /// The first frame whose exposure certainly began at or after this.
    case firstSince(MonotonicTime)
    /// The first frame with this number or a higher one.
    case from(UInt64)
  }

  var rule: Rule
  /// From which the photo's offset is counted.
  var moment: MonotonicTime
  /// The last change of controls before the photo was asked for, of which it shows no earlier
  /// frame; nil if it may.
  var change: UInt64?

  /// What to do with a request now.
  enum Decision {
    case take(Frame)
    case wait
    /// The moment lies before the ring's oldest frame, which this is.
    case tooOld(Frame)
  }

  /// - Parameters:
  ///   - asked: When the node read the request.
  ///   - change: The last change of controls before that.
  ///   - start: How long it waited for idle cameras since then, nanoseconds.
  init(
    _ timing: PhotoTiming, asked: MonotonicTime, newest: Frame?, after change: UInt64 = 0,
    start: Int64 = 0
  ) {
    guard start == 0 || !timing.isOfNoMoment else {
      self.init(rule: .firstSince(asked + .nanoseconds(start)), moment: asked)
      if timing == .now { self.change = change }
      return
    }
    switch timing {
    case .now:
      self.init(rule: .nearest, moment: asked)
      self.change = change
    case .next: self.init(rule: .firstSince(asked), moment: asked)
    case .at(let moment): self.init(rule: .nearest, moment: moment)
    case .noOlderThan(let age):
      if let newest, newest.metadata.exposure.earliestStart >= asked - age {
        self.init(rule: .nearest, moment: newest.metadata.timestamp)
      } else {
        self.init(rule: .firstSince(asked), moment: asked)
      }
    }
  }

  /// The next frame of a burst.
  init(from sequence: UInt64, moment: MonotonicTime) {
    self.init(rule: .from(sequence), moment: moment)
  }

  private init(rule: Rule, moment: MonotonicTime) {
    self.rule = rule
    self.moment = moment
  }

  /// Chooses a frame, or waits while a better one may still come.
  /// - Parameters:
  ///   - interval: The time between two frames, nanoseconds.
  ///   - first: The first frame that has the last change of controls; nil while nobody knows it.
  func decide(_ ring: borrowing FrameRing, interval: Int64, first: UInt64?) -> Decision {
    guard change != nil else { return decide(ring, interval: interval) }
    guard let first else { return .wait }
    switch decide(ring, interval: interval) {
    case .take(let frame), .tooOld(let frame):
      if frame.metadata.sequence >= first { return .take(frame) }
      return ring.first(from: first).map(Decision.take) ?? .wait
    case .wait: return .wait
    }
  }

  func decide(_ ring: borrowing FrameRing, interval: Int64) -> Decision {
    switch rule {
    case .firstSince(let start): ring.firstExposed(since: start).map(Decision.take) ?? .wait
    case .from(let sequence): ring.first(from: sequence).map(Decision.take) ?? .wait
    case .nearest: nearest(ring, interval: interval)
    }
  }

  private func nearest(_ ring: borrowing FrameRing, interval: Int64) -> Decision {
    switch ring.neighbours(of: moment) {
    case (nil, nil): return .wait
    case (let before?, nil):
      // The next frame is due one interval after the newest. Wait for it only if it will be nearer.
      let age = moment.nanoseconds - before.metadata.timestamp.nanoseconds
      return age * 2 <= interval ? .take(before) : .wait
    case (nil, let after?):
      let lead = after.metadata.timestamp.nanoseconds - moment.nanoseconds
      return lead * 2 <= interval ? .take(after) : .tooOld(after)
    case (let before?, let after?):
      let age = moment.nanoseconds - before.metadata.timestamp.nanoseconds
      let lead = after.metadata.timestamp.nanoseconds - moment.nanoseconds
      return .take(age <= lead ? before : after)
    }
  }
}
