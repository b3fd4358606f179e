public import CameraClient

/// What a reader of ``MonitorFeed`` gets.
public struct MonitorEvent: Sendable {
  /// What it is. More cases may come, so a switch needs an `@unknown default`.
  @nonexhaustive
  public enum Body: Sendable {
    /// What the node's own events say: an event, a snapshot, a gap, a restart, a silence.
    case node(NodeEvent)
    /// The node is not there yet, or does not let this program in, with the reason. It is waited
    /// for. It comes again when the reason becomes another one.
    case awaited(Problem)
    /// The node's clock or this machine's was changed. What was known of it is forgotten, and times
    /// from before and after cannot be compared.
    case clockChanged
  }

  /// The node's name in the rig.
  public var node: String
  /// What it is.
  public var body: Body
  /// When it happened; for what this machine noticed by itself, such as a gap or a silence, when it
  /// did.
  public var time: EstimatedTime
  /// Whether an event of a later time was handed out before this one: it came later than the
  /// feed's window allows, or its node sent events in another order than that of their times.
  public var isLate: Bool
}

/// A moment of a node, on this machine's monotonic clock.
public struct EstimatedTime: Hashable, Sendable, Codable {
  /// The middle of the bounds.
  public var moment: MonotonicInstant
  /// By how much it may be wrong; nil while the node's clock is not known, or contradicts what
  /// arrives. Then ``moment`` is when the event arrived.
  public var error: Duration?

  private enum CodingKeys: String, CodingKey {
    case moment = "monotonicNanoseconds"
    case error = "errorNanoseconds"
  }

  /// A moment with the bound of its error.
  public init(moment: MonotonicInstant, error: Duration?) {
    self.moment = moment
    self.error = error
  }

  /// When something happened that arrived at a moment of this machine's clock.
  ///
  /// It cannot have happened after it arrived, which is one more bound.
  init(_ time: MonotonicInstant, arrived: MonotonicInstant, by clock: ClockEstimate) {
    self.init(moment: arrived, error: nil)
    guard let near = clock.offset(at: arrived),
      let offset = clock.offset(at: min(time - near.middle, arrived))
    else { return }
    let (earliest, latest) = (time - offset.most, min(time - offset.least, arrived))
    guard earliest <= latest else { return }
    let bounds = ClockOffset(least: earliest - Self.zero, most: latest - Self.zero)
    (moment, error) = (Self.zero + bounds.middle, bounds.error)
  }

  private static let zero = MonotonicInstant(nanoseconds: 0)
}
