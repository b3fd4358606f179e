/// Photos that are taken one after another, each of another frame, for one reader. A photo is asked
/// for when the reader asks for it.
public struct PhotoSeries: AsyncSequence, Sendable {
  /// A photo.
  public typealias Element = Photo
  /// Why there is no further photo.
  public typealias Failure = CameraBusError

  private let count: Int
  private let take: @Sendable (CaptureTime) async throws(CameraBusError) -> Photo
  private let time: CaptureTime

  init(
    _ count: Int,
    from time: CaptureTime,
    _ take: @escaping @Sendable (CaptureTime) async throws(CameraBusError) -> Photo
  ) {
    self.count = count
    self.time = time
    self.take = take
  }

  /// Begins the series.
  public func makeAsyncIterator() -> Iterator {
    Iterator(count: count, rest: count, time: time, take: take)
  }

  /// A reader.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let count: Int
    fileprivate var rest: Int
    fileprivate var time: CaptureTime
    fileprivate let take: @Sendable (CaptureTime) async throws(CameraBusError) -> Photo

    /// The next photo; nil after the last. After an error the series is over.
    public mutating func next() async throws(CameraBusError) -> Photo? {
      try await next(isolation: #isolation)
    }

    /// The next photo; nil after the last. After an error the series is over.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(CameraBusError) -> Photo? {
      guard count > 0 else {
        throw Arguments.refusal("a series has 1 photo or more, not \(count)", "count")
      }
      guard rest > 0 else { return nil }
      let rest = rest - 1
      self.rest = 0
      let photo = try await take(time)
      // `now` and `past` could name the frame of this photo again.
      time = .next
      self.rest = rest
      return photo
    }
  }
}

extension Camera {
  /// Takes photos one after another, each of another frame.
  ///
  /// The first is the frame that `time` names, so it has no shutter lag. Each further one is the
  /// first frame whose exposure begins after the photo before it is there: so no frame is taken
  /// twice, and none has to be held for long. The errors are those of
  /// ``capture(_:_:timeout:)``.
  /// - Parameters:
  ///   - count: How many photos.
  ///   - time: Which frame to take first.
  ///   - settings: What each photo is to be.
  ///   - timeout: How long to wait for each photo; nil is the connection's request timeout.
  public func captureSeries(
    _ count: Int,
    from time: CaptureTime = .now,
    _ settings: PhotoSettings = PhotoSettings(),
    timeout: Duration? = nil
  ) -> PhotoSeries {
    PhotoSeries(count, from: time) { [self] (moment) throws(CameraBusError) in
      var settings = settings
      // The later photos follow the first, however far from its moment that is.
      if moment != time { settings.tolerance = nil }
      return try await capture(moment, settings, timeout: timeout)
    }
  }
}
