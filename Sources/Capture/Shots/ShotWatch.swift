import EventLoop
import Imaging
import OperatingSystem

/// Waits for the frames of a plan, and takes them. Confined to the frame loop.
// @unchecked: confined to the frame loop.
final class ShotWatch: FrameConsumer, @unchecked Sendable {
  /// A frame must say what it was taken with after so many.
  private static let mostFrames = EffectSearch.mostFrames
  /// After so many pictures it ends if they cannot be read.
  private static let mostPictures = 3 * SettledPictures.most

  typealias Answer<Value> = @Sendable (Result<Value, CaptureError>) -> Void

  /// A frame that is to be taken.
  struct Target: Sendable {
    /// The first that will do.
    var first: UInt64
    /// What it must say.
    var facts: [EffectSearch.WantedFact]
    var shot: ResolvedShot
  }

  /// The first picture that is settled.
  struct Settled: Sendable {
    /// The number of its frame.
    var sequence: UInt64
    /// The brightnesses of it and of those before it, at most as many as must be alike.
    var brightnesses: [Double] = []
  }

  private enum Wait {
    case changes(last: UInt64, answer: Answer<UInt64>)
    case settled(SettledPictures, Settled, answer: Answer<Settled>)
    case taken(Target, passed: Int, answer: Answer<UInt64>)
    case lit(FlashSearch, answer: Answer<Bool>)
  }

  /// When the client stops waiting.
  let deadline: MonotonicTime
  private let pipeline: FramePipeline
  private let photo: PhotoInProgress
  private var wait: Wait?
  private var isMeasuring = false
  private(set) var failure: CaptureError?
  private var timer: LoopTimer?

  init(_ photo: PhotoInProgress, of pipeline: FramePipeline) {
    (self.photo, self.pipeline) = (photo, pipeline)
    deadline = photo.request.deadline
  }

  func begin() {
    pipeline.add(self)
    timer = pipeline.loop.schedule(at: deadline) { [weak self] in
      self?.fail(.deadlineExceeded)
    }
  }

  /// Ends the waiting. The client is told of a failure now.
  func end(_ error: CaptureError?) {
    timer?.cancel()
    pipeline.remove(self)
    if let error { photo.fail(error) }
  }

  /// Ends the plan with an error, unless one came before.
  func fail(_ error: CaptureError) {
    guard failure == nil else { return }
    failure = error
    let waiting = takeWait()
    switch waiting {
    case .settled(_, _, let answer): answer(.failure(error))
    case .changes(_, let answer), .taken(_, _, let answer): answer(.failure(error))
    case .lit(_, let answer): answer(.failure(error))
    case nil: break
    }
  }

  /// Ends a plan of which no picture is taken yet.
  func cancel() -> Bool {
    guard photo.taken == 0, failure == nil else { return false }
    fail(CaptureError(.cancelled, "the request was cancelled"))
    return true
  }

  /// Asks for one thing after the other. Can be called on any thread.
  /// - Throws: The error by which the plan has ended.
  func answer<Value: Sendable>(
    _ ask: @escaping @Sendable (ShotWatch, @escaping Answer<Value>) -> Void
  ) async throws(CaptureError) -> Value {
    try await withCheckedContinuation { continuation in
      pipeline.loop.perform { [self] in
        let answer: Answer<Value> = { continuation.resume(returning: $0) }
        if let failure { answer(.failure(failure)) } else { ask(self, answer) }
      }
    }.get()
  }

  /// Waits until the changes from before the plan show, as after another plan.
  /// - Parameter answer: Called once with the number of the first frame that has them all.
  func awaitChanges(_ answer: @escaping Answer<UInt64>) {
    wait = .changes(last: pipeline.effects.lastID, answer: answer)
    checkChanges()
  }

  /// Waits until pictures are alike, beginning with a frame.
  /// - Parameter answer: Called once.
  func settle(from first: UInt64, _ answer: @escaping Answer<Settled>) {
    wait = .settled(SettledPictures(), Settled(sequence: first), answer: answer)
  }

  /// Takes a frame.
  /// - Parameter answer: Called once with its number.
  func take(_ target: Target, _ answer: @escaping Answer<UInt64>) {
    wait = .taken(target, passed: 0, answer: answer)
    for frame in pipeline.ring.newest(pipeline.ring.capacity) { receive(frame) }
  }

  /// Takes a frame that the flash lights, which has just been fired.
  /// - Parameter answer: Called once with whether there was one while the light lasted.
  func takeLit(_ search: FlashSearch, _ answer: @escaping Answer<Bool>) {
    // Photos of now show no picture of half a flash.
    pipeline.effects.changedByNode()
    wait = .lit(search, answer: answer)
  }

  // MARK: FrameConsumer

  func receive(_ frame: Frame) {
    // A file of it could not be made, so the client has an error already.
    if photo.isOver { return fail(.shotsEnded) }
    let metadata = frame.metadata
    switch wait {
    case .changes: checkChanges()
    case .settled(_, let settled, _):
      if metadata.sequence >= settled.sequence { measure(frame) }
    // A frame from before the request would be zero shutter lag.
    case .taken, .lit:
      if metadata.exposure.earliestStart >= photo.request.asked { takeWanted(frame) }
    case nil: break
    }
  }

  private func takeWanted(_ frame: Frame) {
    let metadata = frame.metadata
    switch wait {
    case .taken(let target, let passed, let answer):
      guard metadata.sequence >= target.first else { return }
      guard target.facts.allSatisfy({ $0.holds(in: metadata.pictured().facts) }) else {
        wait = .taken(target, passed: passed + 1, answer: answer)
        if passed + 1 >= Self.mostFrames { fail(.unproven(target.shot.index)) }
        return
      }
      // Without room the next frame is as good.
      guard take(frame, { $0.shot = target.shot }) else { return }
      _ = takeWait()
      answer(.success(metadata.sequence))
    case .lit(var search, let answer):
      if search.needsPicture, search.found == nil { return measure(frame) }
      search.take(frame, brightness: nil)
      proceed(search, answer)
    case .changes, .settled, nil: break
    }
  }

  private func checkChanges() {
    guard case .changes(let last, let answer) = wait,
      let first = pipeline.effects.firstOfNow(after: last)
    else { return }
    _ = takeWait()
    answer(.success(first))
  }

  private func measure(_ frame: Frame) {
    guard !isMeasuring else { return }
    isMeasuring = true
    let job = LumaGridJob(frame) { [weak self] job in self?.measured(job) }
    pipeline.encoders.measure(job, .first)
  }

  private func measured(_ job: LumaGridJob) {
    isMeasuring = false
    let (sequence, brightness) = (job.frame.metadata.sequence, job.grid?.brightness)
    switch wait {
    case .settled(var pictures, var settled, let answer) where sequence >= settled.sequence:
      if let brightness {
        settled.brightnesses = settled.brightnesses.suffix(SettledPictures.many - 1) + [brightness]
      }
      if pictures.take(brightness) {
        _ = takeWait()
        settled.sequence = sequence
        answer(.success(settled))
      } else if pictures.count >= Self.mostPictures {
        fail(.unreadable)
      } else {
        wait = .settled(pictures, settled, answer: answer)
      }
    case .lit(var search, let answer) where search.needsPicture:
      search.take(job.frame, brightness: brightness)
      proceed(search, answer)
    case .changes, .settled, .taken, .lit, nil: break
    }
  }

  private func proceed(_ search: FlashSearch, _ answer: @escaping Answer<Bool>) {
    wait = .lit(search, answer: answer)
    // Without room the frame waits.
    if let frame = search.found {
      guard take(frame, { $0.flash = search.evidence }) else { return }
    } else if !search.isOver {
      return
    }
    _ = takeWait()
    answer(.success(search.found != nil))
  }

  private func take(_ frame: Frame, _ describe: (inout PhotoPlace) -> Void) -> Bool {
    var place = PhotoPlace(moment: photo.request.asked, start: photo.request.start)
    describe(&place)
    return pipeline.photos.take(frame, for: photo, place)
  }

  private func takeWait() -> Wait? {
    defer { wait = nil }
    return wait
  }
}

/// Ends a plan, on the frame loop.
package struct ShotHandle: Sendable {
  private let watch: ShotWatch

  init(_ watch: ShotWatch) {
    self.watch = watch
  }

  /// Ends it if no picture is taken yet.
  package func cancel() -> Bool { watch.cancel() }

  /// Ends it before it is done.
  package func end(_ reason: CaptureError) { watch.fail(reason) }
}

/// A plan on the frame loop.
extension FramePipeline {
  /// - Returns: Nil if the photos have been refused.
  func beginShots(
    for request: PhotoRequest, _ onBegin: @escaping @Sendable (ShotHandle) -> Void
  ) -> ShotWatch? {
    loop.performAndWait { [self] in
      guard let photo = photos.beginShots(request) else { return nil }
      let watch = ShotWatch(photo, of: self)
      shots = watch
      watch.begin()
      onBegin(ShotHandle(watch))
      return watch
    }
  }

  func endShots(_ watch: ShotWatch, _ error: CaptureError?) {
    loop.performAndWait { [self] in
      shots = nil
      watch.end(error)
    }
  }
}

extension CaptureError {
  static var shotsEnded: CaptureError {
    CaptureError(
      .interrupted,
      "the stream ended before all pictures of the request were taken, which are of one stream: ask again"
    )
  }

  fileprivate static var unreadable: CaptureError {
    CaptureError(
      .deviceFailed,
      "no picture can be read of the camera's frames, so nothing shows whether a setting has taken effect: "
        + "look at its pictures")
  }

  /// - Parameter shot: From 1.
  static func unproven(_ shot: Int) -> CaptureError {
    CaptureError(
      .deviceFailed,
      "no frame shows that shot \(shot) of the bracket has taken effect, and no other is taken: make it differ more "
        + "from the one before, or see that its picture is neither black nor white all over")
  }
}
