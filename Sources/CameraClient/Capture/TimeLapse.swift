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
    /// The planned moment; nil for the first, from whose frame the others are counted.
    public var moment: MonotonicInstant?
    /// The photo, or why there is none.
    public var photo: Result<Photo, CameraBusError>
  }

  /// A planned photo.
  public typealias Element = Shot
  /// Why the series ends early.
  public typealias Failure = CameraBusError

  /// Takes a photo, and says when the node had its frame. It waits longer by `lead`.
  typealias Taker =
    @Sendable (CaptureTime, _ lead: Duration) async throws(CameraBusError)
    -> (photo: Photo, reached: MonotonicTime)

  fileprivate let count: Int
  fileprivate let interval: Duration
  fileprivate let time: CaptureTime
  fileprivate let take: Taker

  init(_ count: Int, every interval: Duration, from time: CaptureTime, _ take: @escaping Taker) {
    self.count = count
    self.interval = interval
    self.time = time
    self.take = take
  }

  private static let shortest = Duration.milliseconds(1)

  fileprivate func check() throws(CameraBusError) {
    guard count > 0 else {
      throw Arguments.refusal("a series has 1 photo or more, not \(count)", "count")
    }
    guard interval >= Self.shortest, interval.wholeNanoseconds <= Int64.max / Int64(count) else {
      throw Arguments.refusal(
        "an interval is \(Self.shortest) or more, and ends within 292 years: not \(interval)",
        "interval")
    }
  }

  /// Begins the series.
  public func makeAsyncIterator() -> Iterator { Iterator(series: self) }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let series: TimeLapse
    /// The number of the shot before.
    fileprivate var number = 0
    fileprivate var plan: TimeLapsePlan?
    fileprivate var isOver = false

    /// The next planned photo; nil after the last. After an error the series is over.
    public mutating func next() async throws(CameraBusError) -> Shot? {
      try await next(isolation: #isolation)
    }

    /// The next planned photo; nil after the last. After an error the series is over.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> Shot? {
      try series.check()
      guard number < series.count, !isOver else { return nil }
      isOver = true
      number += 1
      let shot = if let plan { try await shot(of: plan) } else { try await first() }
      isOver = false
      return shot
    }

    private mutating func first() async throws(CameraBusError) -> Shot {
      let (photo, reached) = try await series.take(series.time, .zero)
      guard let base = photo.resolved?.timestamp.monotonic else {
        throw CameraBusError(
          .outcomeUnknown,
          "the node was restarted meanwhile, so the series has no beginning: try again")
      }
      plan = TimeLapsePlan(base: base, interval: series.interval, reached: reached)
      return Shot(number: number, moment: nil, photo: .success(photo))
    }

    private mutating func shot(of plan: TimeLapsePlan) async throws(CameraBusError) -> Shot {
      let moment = plan.moment(of: number)
      try await Self.sleep(until: plan.asks(for: number))
      let photo = try await photo(at: moment, before: plan.expected(number))
      return Shot(number: number, moment: moment, photo: photo)
    }

    /// Asks again until the moment while the node has certainly taken no photo.
    private mutating func photo(
      at moment: MonotonicInstant, before end: MonotonicTime
    ) async throws(CameraBusError) -> Result<Photo, CameraBusError> {
      while true {
        do throws(CameraBusError) {
          let (photo, reached) = try await series.take(.atMonotonic(moment), TimeLapsePlan.lead)
          plan?.reached(number, at: reached)
          return .success(photo)
        } catch {
          if error.isAboutMoment { throw .clockBeganAnew(error) }
          if error.endsSeries { throw error }
          guard !error.isFinal, .now < end else { return .failure(error) }
          try await Self.sleep(until: Swift.min(.now + .milliseconds(500), end))
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

  private let base: MonotonicInstant
  private let interval: Duration
  /// A photo that was taken, and when its frame was there, by which the clocks are compared.
  private var last: (number: Int, time: MonotonicTime)

  init(base: MonotonicInstant, interval: Duration, reached time: MonotonicTime) {
    self.base = base
    self.interval = interval
    last = (1, time)
  }

  /// By the node's clock.
  func moment(of number: Int) -> MonotonicInstant { base + interval * (number - 1) }

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

  /// Whether there may be a photo all the same, or the frame of the moment has certainly gone.
  fileprivate var isFinal: Bool {
    [.unreachable, .timedOut, .outcomeUnknown, .frameUnavailable].contains(code)
  }

  /// Whether the moment is none that the node's clock can reach in time.
  fileprivate var isAboutMoment: Bool {
    code == .invalidArgument && field?.hasSuffix("when") == true
  }

  fileprivate static func clockBeganAnew(_ cause: CameraBusError) -> CameraBusError {
    CameraBusError(
      .invalidArgument,
      "the clock of the node's machine has begun anew, so the series cannot go on: begin another one",
      field: cause.field, cause: cause)
  }
}

extension Camera {
  /// Takes photos at equal intervals.
  ///
  /// The first is the frame that `time` names. Each further one is the frame nearest to its moment
  /// on the node's clock: so many intervals after that frame. A photo that cannot be taken has its
  /// error in its ``TimeLapse/Shot``, and the series goes on. It ends with an error that further
  /// photos would have too, or if the first photo fails. Each photo is asked for when the reader
  /// asks for it: one who is slower than the interval misses photos.
  /// - Parameters:
  ///   - count: How many photos: 1 or more.
  ///   - interval: From one to the next, at least a millisecond.
  ///   - time: Which frame to take first.
  ///   - settings: What each photo is to be; it is of the stream's size.
  ///   - timeout: How long to wait for each photo after its moment; nil is the connection's request
  ///     timeout.
  public func timeLapse(
    _ count: Int,
    every interval: Duration,
    from time: CaptureTime = .now,
    _ settings: PhotoSettings = PhotoSettings(),
    timeout: Duration? = nil
  ) -> TimeLapse {
    let timeout = timeout ?? bus.configuration.requestTimeout
    return TimeLapse(count, every: interval, from: time) {
      [self] (time, lead) throws(CameraBusError) in
      // The picture may take long to come. So it is the news of the frame that tells the time.
      var reached: MonotonicTime?
      let steps = captureSteps(time, settings, timeout: timeout + lead)
      for try await step in steps {
        switch step {
        case .didCapture: reached = .now
        case .didFinish(let photo): return (photo, reached ?? .now)
        default: break
        }
      }
      throw .endedEarly
    }
  }
}
