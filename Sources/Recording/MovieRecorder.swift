package import Capture
package import EventLoop
import Imaging
package import OperatingSystem
import Synchronization

/// Takes a camera's pictures on the frame loop and writes them to a movie on a thread that may wait
/// for the disk.
///
/// The number and bytes of waiting frames are bounded. When the disk is too slow, further frames
/// are dropped and counted, as those are that were lost before they came here. The frame loop never
/// waits.
package final class MovieRecorder: VideoConsumer, SoundConsumer, Sendable {
  /// The limits at which a movie ends by itself; nil for no limit.
  package struct Limits: Hashable, Sendable {
    package var duration: Duration?
    /// Bytes of all frames.
    package var byteCount: Int?
    /// Bytes that must stay free on the disk, so that the rest of the system keeps working.
    package var minimumFreeBytes: Int

    /// The moments that the timestamps of the first and of the last frame are nearest to.
    package var from, until: MonotonicTime?

    package init(
      duration: Duration? = nil, byteCount: Int? = nil, minimumFreeBytes: Int = 64 << 20,
      from: MonotonicTime? = nil, until: MonotonicTime? = nil
    ) {
      self.duration = duration
      self.byteCount = byteCount
      self.minimumFreeBytes = minimumFreeBytes
      (self.from, self.until) = (from, until)
    }
  }

  /// How much of a recording was written so far, and how many frames are missing from it.
  package struct Progress: Hashable, Sendable {
    package var frames = 0
    package var byteCount = 0
    package var dropped = 0
    /// Without pauses.
    package var duration = Duration.zero
    /// The files that were begun.
    package var files = 0
    /// How far back pictures are kept for the next clip.
    package var reach = Duration.zero
    /// How many triggers have a clip.
    var metTriggers = 0
  }

  /// The most packets of sound that wait for the disk: some seconds.
  static let maximumWaitingSound = 256

  /// The most triggers that wait for their moment.
  package static let maximumTriggers = 64

  package let plan: MoviePlan
  private let loop: EventLoop
  private let series: MovieSeries
  private let waiting: WaitingPictures
  private let triggers = Atomic(0)
  private let waitingSound = Atomic(0)
  private let span: OperatingSystem.Mutex<MovieSpan>
  private let cutter: OperatingSystem.Mutex<SegmentCutter?>
  /// Whether the next picture follows a pause. Used on the frame loop.
  private let isResumed = Atomic(false)

  /// - Parameters:
  ///   - loop: The thread that writes.
  ///   - syncLoop: The thread that waits until written frames are on the disk.
  ///   - nextPlace: The path of the next file, which is created with its first frame; nil if there
  ///     is none yet. Called on `loop`.
  ///   - onNews: Called on `loop`.
  package init(
    loop: EventLoop,
    syncLoop: EventLoop,
    plan: MoviePlan,
    nextPlace: @escaping @Sendable () -> String?,
    onNews: @escaping @Sendable (MovieNews) -> Void
  ) {
    self.loop = loop
    self.plan = plan
    waiting = WaitingPictures(plan.format.codec)
    span = Mutex(MovieSpan(from: plan.limits.from, until: plan.limits.until))
    var cutter: SegmentCutter?
    if case .segments(let segments) = plan.cut {
      cutter = SegmentCutter(segments, interval: plan.interval)
    }
    self.cutter = Mutex(cutter)
    series = MovieSeries(
      loop: loop, syncLoop: syncLoop, plan: plan, nextPlace: nextPlace, onNews: onNews)
  }

  package var progress: Progress {
    var progress = series.progress
    progress.dropped = waiting.dropped
    return progress
  }

  /// Whether the picture of the frame taken at `time` has to be one that needs no other: any one
  /// may be the first, and any one may begin a file.
  package func awaitsKey(at time: MonotonicTime) -> Bool {
    // Behind a pause one is needed anyway, and the cutter does not know yet how long that was.
    if isResumed.load(ordering: .relaxed) { return true }
    let asks = cutter.withLock { $0?.asksForKey(at: time) } ?? false
    return asks || waiting.needsKey
  }

  /// Takes one picture, or counts it as dropped when too much waits for the disk, or when it needs
  /// one that was dropped. Called on the frame loop.
  package func receive(_ frame: Frame) {
    // The first picture needs no other; those before it are not of the movie.
    guard !waiting.isBeforeFirst(frame.metadata) else { return }
    if let reason = span.withLock({ $0.take(frame, write: write) }) { stop(reason) }
  }

  /// Takes what the microphone heard; silence takes its place when too much waits for the disk. Can
  /// be called on any thread.
  package func receive(_ sound: SoundPacket) {
    guard waitingSound.load(ordering: .relaxed) < Self.maximumWaitingSound else { return }
    waitingSound.add(1, ordering: .relaxed)
    _ = loop.performUnlessStopped { [self] in
      series.take(sound)
      waitingSound.subtract(1, ordering: .relaxed)
    }
  }

  private func write(_ frame: Frame) {
    guard waiting.take(frame) else { return }
    let isResumed = isResumed.exchange(false, ordering: .relaxed)
    let beginsFile = cutter.withLock { cutter in
      if isResumed { cutter?.resumes(at: frame.metadata.timestamp) }
      return cutter?.begins(frame.metadata, byteCount: frame.byteCount) ?? false
    }
    loop.perform { [self] in
      if isResumed { series.resume() }
      series.write(frame, beginsFile: beginsFile, dropped: waiting.dropped)
      waiting.wrote(frame)
    }
  }

  /// Counts a frame without a picture. A movie ends at its duration also without frames, and at
  /// once if nothing but such frames has come. Called on the frame loop.
  package func missed(_ frame: FrameMetadata, _ error: CaptureError) {
    let (counts, reason) = span.withLock { ($0.has(frame.timestamp), $0.miss(frame.timestamp)) }
    if let reason { stop(reason) }
    guard counts else { return }
    waiting.miss(frame)
    loop.perform { [self] in series.miss(at: frame.timestamp, error, dropped: waiting.dropped) }
  }

  /// The next picture goes on after a pause: the movie's time goes on without it, and it begins
  /// with a picture that needs no other. Called on the frame loop, before that picture comes.
  package func resume() {
    isResumed.store(true, ordering: .relaxed)
    waiting.beginAnew()
  }

  /// Lets a clip be made of what is around a moment. Can be called on any thread.
  /// - Returns: False if too many triggers wait for their moment.
  @discardableResult
  package func trigger(at moment: MonotonicTime) -> Bool {
    let count = triggers.add(1, ordering: .relaxed).newValue
    guard count - series.progress.metTriggers <= Self.maximumTriggers else {
      triggers.subtract(1, ordering: .relaxed)
      return false
    }
    loop.perform { [self] in series.trigger(at: moment) }
    return true
  }

  /// A file that had no place has one now, or cannot have one for this reason. Can be called on any
  /// thread.
  package func placeChanged(_ error: RecordingError?) {
    loop.perform { [self] in series.placeChanged(error) }
  }

  /// Ends the movie with the frame nearest a moment, or with the newest one if that has passed.
  /// Called on the frame loop.
  package func stop(at moment: MonotonicTime, _ reason: MovieSummary.EndReason = .stopped) {
    if span.withLock({ $0.end(at: moment, reason) }) { stop(reason) }
  }

  /// Ends the movie, because nothing can be made for it.
  package func fail(_ error: RecordingError) {
    loop.perform { [self] in
      series.end(.stopped, error: error, dropped: waiting.dropped)
    }
  }

  /// Ends the movie after the frames taken so far. Can be called on any thread; a second call does
  /// nothing.
  package func stop(_ reason: MovieSummary.EndReason = .stopped) {
    loop.perform { [self] in
      series.end(reason, error: nil, dropped: waiting.dropped)
    }
  }
}
