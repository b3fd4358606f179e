import EventLoop
import Imaging
import OperatingSystem

/// Waits for the frames of a bracket, and takes them. Confined to the frame loop.
// @unchecked: confined to the frame loop.
final class BracketWatch: FrameConsumer, @unchecked Sendable {
  /// A frame must say what it was taken with after so many.
  private static let mostFrames = EffectSearch.mostFrames
  /// After so many pictures it ends if they cannot be read.
  private static let mostPictures = 3 * SettledPictures.most

  /// A frame that is to be taken.
  struct Target: Sendable {
    /// The first that will do.
    var first: UInt64
    /// What it must say.
    var facts: [EffectSearch.WantedFact]
    var shot: ResolvedShot
  }

  private enum Wait {
    case settled(SettledPictures, from: UInt64, answer: (Result<UInt64, CaptureError>) -> Void)
    case taken(Target, passed: Int, answer: (Result<UInt64, CaptureError>) -> Void)
  }

  /// When the client stops waiting.
  let deadline: MonotonicTime
  private let pipeline: FramePipeline
  private let photo: PhotoInProgress
  private let start: Int64
  private var wait: Wait?
  private var isMeasuring = false
  private(set) var failure: CaptureError?
  private var timer: LoopTimer?

  /// - Parameter start: how long the bracket waited for an idle camera, nanoseconds.
  init(_ photo: PhotoInProgress, start: Int64, of pipeline: FramePipeline) {
    (self.photo, self.start, self.pipeline) = (photo, start, pipeline)
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

  /// Ends the bracket with an error, unless one came before.
  func fail(_ error: CaptureError) {
    guard failure == nil else { return }
    failure = error
    answer(.failure(error))
  }

  /// Ends a bracket of which no picture is taken yet.
  func cancel() -> Bool {
    guard photo.taken == 0, failure == nil else { return false }
    fail(CaptureError(.cancelled, "the request was cancelled"))
    return true
  }

  /// Waits until pictures are alike, beginning with a frame.
  /// - Parameter answer: called once with the number of the first frame that is settled.
  func settle(
    from first: UInt64, _ answer: @escaping @Sendable (Result<UInt64, CaptureError>) -> Void
  ) {
    if let failure { return answer(.failure(failure)) }
    wait = .settled(SettledPictures(), from: first, answer: answer)
  }

  /// Takes a frame.
  /// - Parameter answer: called once with its number.
  func take(
    _ target: Target, _ answer: @escaping @Sendable (Result<UInt64, CaptureError>) -> Void
  ) {
    if let failure { return answer(.failure(failure)) }
    wait = .taken(target, passed: 0, answer: answer)
    for frame in pipeline.ring.newest(pipeline.ring.capacity) { receive(frame) }
  }

  // MARK: FrameConsumer

  func receive(_ frame: Frame) {
    // A file of it could not be made, so the client has an error already.
    if photo.isOver { return fail(.bracketEnded) }
    let metadata = frame.metadata
    switch wait {
    case .settled(_, let first, _):
      guard metadata.sequence >= first, !isMeasuring else { return }
      isMeasuring = true
      let job = LumaGridJob(frame) { [weak self] job in self?.measured(job) }
      pipeline.encoders.measure(job, .first)
    case .taken(let target, let passed, let answer):
      // A frame from before the request would be zero shutter lag.
      guard metadata.sequence >= target.first,
        metadata.exposure.earliestStart >= photo.request.asked
      else { return }
      guard target.facts.allSatisfy({ $0.holds(in: metadata.pictured().facts) }) else {
        wait = .taken(target, passed: passed + 1, answer: answer)
        if passed + 1 >= Self.mostFrames { fail(.unproven(target.shot.index)) }
        return
      }
      // Without room the next frame is as good.
      guard pipeline.photos.take(frame, for: photo, target.shot, start: start) else { return }
      self.answer(.success(metadata.sequence))
    case nil: break
    }
  }

  private func measured(_ job: LumaGridJob) {
    isMeasuring = false
    guard case .settled(var pictures, let first, let answer) = wait,
      job.frame.metadata.sequence >= first
    else { return }
    if pictures.take(job.grid?.brightness) {
      self.answer(.success(job.frame.metadata.sequence))
    } else if pictures.count >= Self.mostPictures {
      fail(.unreadable)
    } else {
      wait = .settled(pictures, from: first, answer: answer)
    }
  }

  private func answer(_ result: Result<UInt64, CaptureError>) {
    let waiting = wait
    wait = nil
    switch waiting {
    case .settled(_, _, let answer), .taken(_, _, let answer): answer(result)
    case nil: break
    }
  }
}

/// Ends a bracket, on the frame loop.
package struct BracketHandle: Sendable {
  private let watch: BracketWatch

  init(_ watch: BracketWatch) {
    self.watch = watch
  }

  /// Ends it if no picture is taken yet.
  package func cancel() -> Bool { watch.cancel() }

  /// Ends it before it is done.
  package func end(_ reason: CaptureError) { watch.fail(reason) }
}

extension CaptureError {
  fileprivate static var unreadable: CaptureError {
    CaptureError(
      .deviceFailed,
      "no picture can be read of the camera's frames, so nothing shows whether a shot of the bracket has taken effect: "
        + "look at its pictures")
  }

  /// - Parameter shot: from 1.
  static func unproven(_ shot: Int) -> CaptureError {
    CaptureError(
      .deviceFailed,
      "no frame shows that shot \(shot) of the bracket has taken effect, and no other is taken: make it differ more "
        + "from the one before, or give the scene more light")
  }
}
