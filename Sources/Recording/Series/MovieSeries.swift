import Capture
import EventLoop
import Imaging
import OperatingSystem

/// Writes a recording's pictures into its files, one after the other.
// @unchecked: confined to the recorder's loop, except for `progress`, which has a lock.
final class MovieSeries: @unchecked Sendable {
  private let loop: EventLoop
  private let syncLoop: EventLoop
  private let plan: MoviePlan
  private let nextPlace: @Sendable () -> String?
  private var onNews: (@Sendable (MovieNews) -> Void)?
  private let shared = Mutex(MovieRecorder.Progress())

  private var file: BoundedMovieWriter?
  /// Whether the present file ends although the recording goes on.
  private var isCutting = false
  /// What the files before the present one have, and the frames that were missing until then.
  private var before = MovieSummary.Total()
  /// Those that were missing when the present file began.
  private var droppedBefore = 0
  /// Those that were missing before the last picture of a clip.
  private var droppedInClips = 0
  /// How long the file is that is being cut, until the first frame of the next one.
  private var lasting: Duration?
  private var first: FrameMetadata?
  private var lastProgress: MonotonicTime?
  private var clips: ClipRing?
  /// An end that waits until the last clip has a file.
  private var ending: (reason: MovieSummary.EndReason, dropped: Int)?
  private var sounds: SoundHistory?
  /// The last frame that was given to the present file.
  private var newest: MonotonicTime?
  private var isResumed = false

  /// - Parameters:
  ///   - loop: The thread that calls and writes.
  ///   - nextPlace: The path of the next file; nil if there is none yet.
  ///   - onNews: Called on `loop`.
  init(
    loop: EventLoop, syncLoop: EventLoop, plan: MoviePlan,
    nextPlace: @escaping @Sendable () -> String?,
    onNews: @escaping @Sendable (MovieNews) -> Void
  ) {
    self.loop = loop
    self.syncLoop = syncLoop
    self.plan = plan
    self.nextPlace = nextPlace
    self.onNews = onNews
    var reach = Duration.zero
    if case .clips(let kind) = plan.cut {
      clips = ClipRing(kind)
      reach = kind.before
    }
    if plan.sound != nil { sounds = SoundHistory(reach: reach) }
  }

  /// How much was written. Can be called on any thread.
  var progress: MovieRecorder.Progress { shared.withLock { $0 } }

  /// Takes a picture.
  /// - Parameter beginsFile: Whether it begins the next file. If that has no place yet, the present
  ///   one goes on.
  func write(_ frame: Frame, beginsFile: Bool, dropped: Int) {
    guard onNews != nil, ending == nil else { return }
    guard let clips else {
      if beginsFile, file != nil, let path = nextPlace() {
        cut(before: frame.metadata.timestamp, dropped: dropped)
        open(path)
      }
      return frame.withBytes { append($0, frame.layout, frame.metadata, dropped: dropped) }
    }
    guard frame.withBytes({ clips.append($0, frame.layout, frame.metadata, dropped: dropped) })
    else {
      return end(
        .stopped,
        error: RecordingError(
          .unsuitableFrame, "the camera's pictures became others while recording"),
        dropped: dropped)
    }
    advance()
  }

  /// Takes what the microphone heard, in its order. It comes into the file with pictures of its
  /// time.
  func take(_ sound: SoundPacket) {
    guard onNews != nil else { return }
    sounds?.append(sound)
  }

  /// A frame has no picture.
  func miss(at time: MonotonicTime, _ error: CaptureError, dropped: Int) {
    guard onNews != nil, clips == nil else { return }
    openFirst()
    file?.miss(at: time, error, dropped: dropped - droppedBefore)
  }

  /// The next picture follows the last one, whatever its time.
  func resume() {
    if let clips { clips.resume() } else { resumeFile() }
  }

  private func resumeFile() {
    file?.resume()
    isResumed = true
  }

  /// Begins a clip, or lets the present one last longer.
  func trigger(at moment: MonotonicTime) {
    guard onNews != nil, ending == nil, let clips else { return }
    clips.trigger(at: moment)
    report(clips)
    advance()
  }

  /// A file that had no place has one now, or cannot have one for this reason.
  func placeChanged(_ error: RecordingError?) {
    guard let ending else {
      // Without a place, the next picture asks again.
      if error == nil { advance() }
      return
    }
    self.ending = nil
    end(error == nil ? ending.reason : .storageFailed, error: error, dropped: ending.dropped)
  }

  func end(_ reason: MovieSummary.EndReason, error: RecordingError?, dropped: Int) {
    guard onNews != nil, ending == nil else { return }
    // What belongs to the clip and came before the end is in it.
    while let clips, clips.isBegun, error == nil, write(clips) {}
    guard onNews != nil else { return }
    if let clips, clips.isBegun, error == nil, file == nil {
      ending = (reason, dropped)
      return
    }
    let dropped = clips == nil ? dropped : droppedInClips
    guard let file else { return finish(reason, error: error, dropped: dropped) }
    giveLastSound(to: file)
    file.end(reason, error: error, dropped: dropped - droppedBefore)
  }

  // MARK: Files

  private func openFirst() {
    if file == nil, before.files == 0, let path = nextPlace() { open(path) }
  }

  private func open(_ path: String) {
    var limits = plan.limits
    limits.duration = limits.duration.map { $0 - before.duration }
    limits.byteCount = limits.byteCount.map { $0 - before.byteCount }
    file = BoundedMovieWriter(path: path, plan: plan, limits: limits, syncLoop: syncLoop) {
      [weak self] in self?.ended(path, $0)
    }
  }

  private func append(
    _ picture: RawSpan, _ layout: ImageLayout, _ metadata: FrameMetadata, dropped: Int
  ) {
    openFirst()
    guard let file else { return }
    giveSound(to: file, until: metadata.timestamp)
    file.write(picture, layout, metadata, dropped: dropped - droppedBefore)
    guard self.file === file else { return }
    report(metadata)
  }

  /// Ends the present file. The recording goes on.
  /// - Parameter moment: When the first frame after it was taken; nil if none follows it.
  private func cut(before moment: MonotonicTime?, dropped: Int) {
    guard let file else { return }
    giveLastSound(to: file)
    isCutting = true
    lasting = moment.map { file.time(of: $0) }
    file.end(.cut, error: nil, dropped: dropped - droppedBefore)
    droppedBefore = dropped
    (isCutting, lasting) = (false, nil)
  }

  /// Gives a file the sound until its next picture.
  private func giveSound(to file: BoundedMovieWriter, until picture: MonotonicTime) {
    defer { (newest, isResumed) = (picture, false) }
    if newest == nil {
      sounds?.begin(at: picture)
    } else if isResumed {
      giveLastSound(to: file, atMost: plan.interval)
      sounds?.skip(to: picture)
      // What follows is given with the next picture, after the file knows how long the pause was.
      return
    }
    for packet in sounds?.take(before: picture + SoundHistory.ahead) ?? [] { file.write(packet) }
  }

  /// Gives a file the sound until a little after its last picture.
  private func giveLastSound(
    to file: BoundedMovieWriter, atMost after: Duration = SoundHistory.ahead
  ) {
    guard let newest else { return }
    for packet in sounds?.take(before: newest + after) ?? [] { file.write(packet) }
  }

  private func ended(_ path: String, _ summary: MovieSummary) {
    (file, newest) = (nil, nil)
    before.add(summary, lasting: lasting ?? summary.duration)
    onNews?(.file(path: path, summary))
    // A file that cannot be closed ends the recording.
    guard !isCutting || summary.reason != .cut else { return }
    let dropped = clips == nil ? droppedBefore + summary.dropped : before.dropped
    finish(summary.reason, error: summary.error, dropped: dropped)
  }

  private func finish(_ reason: MovieSummary.EndReason, error: RecordingError?, dropped: Int) {
    guard let onNews else { return }
    self.onNews = nil
    clips = nil
    onNews(.ended(before.summary(reason, plan.format, dropped: dropped, error: error)))
  }

  private func report(_ newest: FrameMetadata) {
    guard let file else { return }
    let extent = file.extent
    shared.withLock { progress in
      progress.frames = before.frames + extent.frameCount
      progress.byteCount = before.byteCount + extent.byteCount
      progress.duration = before.duration + extent.duration
      progress.files = before.files + 1
    }
    if first == nil {
      first = newest
      lastProgress = newest.timestamp
      onNews?(.began(newest))
    }
    guard let interval = plan.progressInterval, let lastProgress,
      newest.timestamp - lastProgress >= interval
    else { return }
    self.lastProgress = newest.timestamp
    onNews?(.progress)
  }

  // MARK: Clips

  /// Writes what has come of the clip under way, a few pictures at a time, so that new ones are
  /// taken meanwhile.
  private func advance() {
    guard let clips else { return }
    clips.begin()
    if clips.isBegun, write(clips) { loop.perform { [weak self] in self?.advance() } }
    clips.forget()
    report(clips)
  }

  private func report(_ clips: ClipRing) {
    shared.withLock { ($0.reach, $0.metTriggers) = (clips.reach, clips.metTriggers) }
  }

  /// Writes some pictures of the clip.
  /// - Returns: Whether there are more.
  private func write(_ clips: ClipRing) -> Bool {
    for _ in 0..<16 {
      if file == nil {
        guard let path = nextPlace() else { return false }
        open(path)
        droppedBefore = clips.droppedBeforeNext ?? droppedInClips
      }
      switch clips.next() {
      case .nothing: return false
      case .end:
        cut(before: nil, dropped: droppedInClips)
        clips.begin()
        return clips.isBegun
      case .picture(let index):
        droppedInClips = clips.dropped(at: index)
        // A file that begins there has no pause.
        if clips.isResumed(at: index), newest != nil { resumeFile() }
        clips.withPicture(index) { append($0, $1, $2, dropped: droppedInClips) }
        guard onNews != nil else { return false }
      }
    }
    return true
  }
}
