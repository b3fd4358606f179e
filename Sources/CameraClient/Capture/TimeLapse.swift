import OperatingSystem

/// Photos at equal intervals, for one reader.
///
/// The moments are those of the node's clock, counted from the frame of the first photo, so the
/// intervals do not add up their errors however long the series is. A photo that cannot be taken is
/// told, and the series goes on.
public struct TimeLapse: AsyncSequence, Sendable {
  /// One planned photo.
  public struct Shot: Sendable {
    /// From 1.
    public var number: Int
    /// The planned moment on the node's `CLOCK_MONOTONIC`, nanoseconds; nil for the first, from
    /// whose frame the others are counted.
    public var monotonicNanoseconds: Int64?
    /// The photo, or why there is none.
    public var photo: Result<Photo, CameraBusError>
  }

  /// A planned photo.
  public typealias Element = Shot
  /// Why the series ends early.
  public typealias Failure = CameraBusError

  typealias Taker =
    @Sendable (CaptureTime, _ lead: Duration) async throws(CameraBusError) -> Photo

  private let count: Int
  private let interval: Duration
  private let time: CaptureTime
  private let take: Taker

  init(_ count: Int, every interval: Duration, from time: CaptureTime, _ take: @escaping Taker) {
    self.count = count
    self.interval = interval
    self.time = time
    self.take = take
  }

  /// Begins the series.
  public func makeAsyncIterator() -> Iterator {
    Iterator(rest: count, interval: interval, time: time, take: take)
  }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var rest: Int
    fileprivate let interval: Duration
    fileprivate let time: CaptureTime
    fileprivate let take: Taker
    private var number = 0
    private var plan: TimeLapsePlan?

    fileprivate init(rest: Int, interval: Duration, time: CaptureTime, take: @escaping Taker) {
      self.rest = rest
      self.interval = interval
      self.time = time
      self.take = take
    }

    /// The next planned photo; nil after the last. After an error the series is over.
    public mutating func next() async throws(CameraBusError) -> Shot? {
      try await next(isolation: #isolation)
    }

    /// The next planned photo; nil after the last. After an error the series is over.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> Shot? {
      guard rest > 0 else { return nil }
      let rest = rest - 1
      self.rest = 0
      number += 1
      let shot = if let plan { try await shot(of: plan) } else { try await first() }
      self.rest = rest
      return shot
    }

    private mutating func first() async throws(CameraBusError) -> Shot {
      let photo = try await take(time, .zero)
      guard let base = photo.resolved?.timestamp.monotonicNanoseconds else {
        throw CameraBusError(
          .outcomeUnknown,
          "the node was restarted meanwhile, so the series has no beginning: try again")
      }
      plan = TimeLapsePlan(base: base, interval: interval, reached: .now)
      return Shot(number: number, monotonicNanoseconds: nil, photo: .success(photo))
    }

    private mutating func shot(of plan: TimeLapsePlan) async throws(CameraBusError) -> Shot {
      let moment = plan.moment(of: number)
      try await Self.sleep(until: plan.asks(for: number))
      let photo = try await photo(at: moment, before: plan.expected(number))
      if case .success = photo { self.plan?.reached(number, at: .now) }
      return Shot(number: number, monotonicNanoseconds: moment, photo: photo)
    }

    /// Asks again until the moment while the camera is only in trouble.
    private func photo(
      at moment: Int64, before end: MonotonicTime
    ) async throws(CameraBusError) -> Result<Photo, CameraBusError> {
      while true {
        do throws(CameraBusError) {
          return .success(
            try await take(.atMonotonic(nanoseconds: moment), TimeLapsePlan.lead))
        } catch {
          if error.endsSeries { throw error }
          let next = MonotonicTime.now + .milliseconds(500)
          guard error.isOfTheMoment, next < end else { return .failure(error) }
          try await Self.sleep(until: next)
        }
      }
    }

    private static func sleep(until moment: MonotonicTime) async throws(CameraBusError) {
      let rest = moment - .now
      guard rest > .zero else { return }
      do { try await Task.sleep(for: rest) } catch { throw .cancelled }
    }
  }
}

/// When the photos of a series are due, by the node's clock, and when to ask for them, by this
/// machine's.
struct TimeLapsePlan: Sendable {
  /// A photo is asked for this long before its moment, so that an idle camera is awake by then.
  static let lead = Duration.seconds(5)

  private let base: Int64
  private let interval: Duration
  /// A photo that was taken, and when it was here, by which the clocks are compared.
  private var last: (number: Int, time: MonotonicTime)

  init(base: Int64, interval: Duration, reached time: MonotonicTime) {
    self.base = base
    self.interval = interval
    last = (1, time)
  }

  /// Nanoseconds of the node's clock.
  func moment(of number: Int) -> Int64 {
    let (after, overflow) = interval.wholeNanoseconds.multipliedReportingOverflow(
      by: Int64(number - 1))
    return base.addingSaturated(overflow ? .max : after)
  }

  /// About when the moment will be there, rather too late.
  func expected(_ number: Int) -> MonotonicTime {
    last.time + interval * (number - last.number)
  }

  func asks(for number: Int) -> MonotonicTime { expected(number) - Self.lead }

  mutating func reached(_ number: Int, at time: MonotonicTime) { last = (number, time) }
}

extension CameraBusError {
  /// Whether further photos would fail too.
  fileprivate var endsSeries: Bool {
    [
      .cancelled, .closed, .forbidden, .notAuthorized, .keyRequired, .wrongNode, .invalidArgument,
      .unsupported, .unsupportedFormat, .noSuchCamera,
    ].contains(code)
  }

  /// Whether the node has certainly taken no photo and may take one soon.
  fileprivate var isOfTheMoment: Bool {
    isRetryable && ![.unreachable, .timedOut, .outcomeUnknown].contains(code)
  }
}

extension Camera {
  /// Takes photos at equal intervals.
  ///
  /// The first is the frame that `time` names. Each further one is the frame nearest to its moment
  /// on the node's clock: so many intervals after that frame. A photo that cannot be taken has its
  /// error in its ``TimeLapse/Shot``, and the series goes on. It ends with an error that further
  /// photos would have too, or if the first photo fails.
  /// - Parameters:
  ///   - count: How many photos.
  ///   - interval: From one to the next, at least a millisecond.
  ///   - time: Which frame to take first.
  ///   - quality: JPEG quality 1 to 100 where the node encodes; nil leaves it to the node.
  ///   - isKept: Whether the photos go into the node's library.
  ///   - timeout: How long to wait for each photo after its moment; nil is the connection's request
  ///     timeout.
  public func timeLapse(
    _ count: Int,
    every interval: Duration,
    from time: CaptureTime = .now,
    quality: Int? = nil,
    isKept: Bool = true,
    timeout: Duration? = nil
  ) -> TimeLapse {
    let timeout = timeout ?? bus.configuration.requestTimeout
    return TimeLapse(count, every: max(interval, .milliseconds(1)), from: time) {
      [self] (time, lead) throws(CameraBusError) in
      try await capture(time, quality: quality, isKept: isKept, timeout: timeout + lead)
    }
  }
}
