package import Imaging
import OperatingSystem

/// A camera's frames as JPEGs of one kind, encoded once for all consumers and only while there are
/// some.
///
/// The camera's own JPEGs pass through untouched unless they must be scaled, turned or zoomed, or
/// say themselves that a viewer has to turn them.
/// Otherwise an encoder takes the newest frame as soon as it is free; frames that are overtaken
/// while they wait are dropped and counted. Consumers get frames in the camera's order, and nothing
/// while no JPEG can be made of the camera's format.
// @unchecked: confined to the frame loop, except the counters, which have a lock.
package final class EncodedStream: FrameConsumer, @unchecked Sendable {
  /// How many frames had which outcome.
  package struct Counters: Hashable, Sendable {
    package var encoded: UInt64 = 0
    package var passedThrough: UInt64 = 0
    /// Overtaken while every encoder was busy.
    package var droppedLate: UInt64 = 0
    package var failed: UInt64 = 0
    /// Left out for thinned consumers, by rule.
    package var thinnedByPressure: UInt64 = 0
    package var thinnedByRate: UInt64 = 0

    package init() {}

    package mutating func count(_ omission: Thinning.Rule) {
      switch omission {
      case .pressure: thinnedByPressure += 1
      case .rate: thinnedByRate += 1
      }
    }

    // They may wrap: see `StreamOutlet`, which goes on counting with another stream.

    private static func combine(
      _ left: Counters, _ right: Counters, _ combine: (UInt64, UInt64) -> UInt64
    ) -> Counters {
      var result = Counters()
      result.encoded = combine(left.encoded, right.encoded)
      result.passedThrough = combine(left.passedThrough, right.passedThrough)
      result.droppedLate = combine(left.droppedLate, right.droppedLate)
      result.failed = combine(left.failed, right.failed)
      result.thinnedByPressure = combine(left.thinnedByPressure, right.thinnedByPressure)
      result.thinnedByRate = combine(left.thinnedByRate, right.thinnedByRate)
      return result
    }

    package static func &+ (left: Counters, right: Counters) -> Counters {
      combine(left, right, &+)
    }

    package static func &- (left: Counters, right: Counters) -> Counters {
      combine(left, right, &-)
    }
  }

  /// A frame at an encoder. Its result waits here for those of earlier frames.
  private struct Pending {
    var number: UInt64
    /// Whether it is for all consumers, not only for those that get every frame.
    var isForAll: Bool
    var kind: PictureKind
    /// Nil for a frame that passes through.
    var job: EncodeJob?
    var result: Result<Frame, CaptureError>?
  }

  /// So many frames in a row of which no picture can be made are a silence, which people are told.
  package static let failuresOfSilence = 8

  /// Can be read on any thread.
  package var counters: Counters { sharedCounters.withLock { $0 } }
  /// Why there are no pictures at present; nil if there are. Can be read on any thread.
  package var silence: CaptureError? { sharedSilence.withLock { $0 } }
  /// Called on the frame loop when a silence begins or ends.
  package var onSilence: (() -> Void)?
  /// Whether frames of this stream wait for an encoder or are being encoded.
  var isEncoding: Bool { !pending.isEmpty }
  /// How many pictures for thinned consumers are under way.
  package var pendingForAll: Int { pending.count { $0.isForAll } }
  /// Holds from the next frame on. Pictures under way are still delivered, as they were begun.
  package var kind: PictureKind

  private let sharedCounters = Mutex(Counters())
  private let sharedSilence = Mutex<CaptureError?>(nil)
  private var failuresInARow = 0
  private let pipeline: FramePipeline
  private let encoders: EncoderPool
  private var consumers: [(consumer: any FrameConsumer, isThinned: Bool)] = []
  private var thinning = Thinning()
  /// In the camera's order. Only the last one may still wait for an encoder.
  private var pending: [Pending] = []
  private var nextNumber: UInt64 = 0
  private var pictures: JPEGPool

  package init(pipeline: FramePipeline, encoders: EncoderPool, kind: PictureKind) {
    self.pipeline = pipeline
    self.encoders = encoders
    self.kind = kind
    // One for each encoder, one that waits, and 16 on their way to subscribers.
    pictures = JPEGPool(limit: encoders.workers.count + 1 + 16)
  }

  package var hasConsumers: Bool { !consumers.isEmpty }

  package func has(_ consumer: any FrameConsumer) -> Bool {
    consumers.contains { $0.consumer === consumer }
  }

  /// Whether nobody but this consumer gets frames.
  package func isOnly(for consumer: any FrameConsumer) -> Bool {
    consumers.allSatisfy { $0.consumer === consumer }
  }

  /// - Parameter isThinned: Whether it gets fewer frames when `thin` says so.
  package func add(_ consumer: any FrameConsumer, isThinned: Bool = false) {
    if consumers.isEmpty { pipeline.add(self) }
    consumers.append((consumer, isThinned))
  }

  /// Gives thinned consumers one of so many frames. Frames for nobody are not encoded.
  package func thin(to divisor: Int) { thinning.divisor = UInt64(divisor) }

  /// Gives thinned consumers at most so many frames a second, if that is fewer; nil for all.
  package func limitRate(_ framesPerSecond: Double?) { thinning.limit = framesPerSecond }

  package func remove(_ consumer: any FrameConsumer) {
    consumers.removeAll { $0.consumer === consumer }
    guard consumers.isEmpty else { return }
    pipeline.remove(self)
    endSilence()
    pending.removeAll { $0.job.map(encoders.withdraw) ?? true }
    pictures.removeAll()
  }

  package func receive(_ frame: Frame) {
    guard frame.layout.pixelFormat.makesPictures else { return }
    let omission = thinning.omission(
      of: frame.metadata.sequence, at: frame.metadata.timestamp, every: pipeline.interval)
    if let omission { sharedCounters.withLock { $0.count(omission) } }
    var isForAll = omission == nil
    guard isForAll || consumers.contains(where: { !$0.isThinned }) else { return }
    let turn = frame.layout.orientation.followed(by: kind.orientation)
    let size = targetSize(of: frame, turned: turn)
    // The frame's own word would turn it once more where both undo each other.
    let isUpright = frame.layout.orientation == .upright && turn == .upright
    let passes =
      frame.layout.pixelFormat.isCompressed && size == frame.layout.size && isUpright
      && frame.metadata.crop == 1 && !kind.isReencoded
    if let last = pending.last, let waiting = last.job {
      if passes || last.kind != kind {
        if encoders.withdraw(waiting) {
          pending.removeLast()
          isForAll = isForAll || last.isForAll
          sharedCounters.withLock { $0.droppedLate += 1 }
        }
      } else if encoders.replace(waiting, with: frame) {
        if isForAll { pending[pending.count - 1].isForAll = true }
        sharedCounters.withLock { $0.droppedLate += 1 }
        if kind.rank == .first { encoders.lateness.pictureIsLate() }
        return
      }
    }
    if passes {
      sharedCounters.withLock { $0.passedThrough += 1 }
      if pending.isEmpty { return deliver(frame, toAll: isForAll) }
      // Earlier frames come first.
      pending.append(
        Pending(number: number(), isForAll: isForAll, kind: kind, result: .success(frame)))
    } else {
      encode(frame, to: size, turned: turn, isForAll: isForAll)
    }
  }

  private func encode(
    _ frame: Frame, to size: ImageSize, turned turn: Orientation, isForAll: Bool
  ) {
    guard let draft = pictures.take(for: size) else {
      sharedCounters.withLock { $0.droppedLate += 1 }
      return
    }
    let source = turn.turned(size)
    let number = number()
    let job = EncodeJob(
      frame,
      into: draft,
      size: source == frame.layout.size ? nil : source,
      orientation: turn,
      quality: kind.quality,
      isReencoded: kind.isReencoded
    ) { [weak self] result in self?.finish(number, result) }
    pending.append(Pending(number: number, isForAll: isForAll, kind: kind, job: job))
    if kind.rank == .first { encoders.lateness.needsPicture() }
    encoders.encode(job, kind.rank)
  }

  private func number() -> UInt64 {
    nextNumber += 1
    return nextNumber
  }

  /// Keeps the result of one frame, then delivers all that no earlier frame holds up.
  private func finish(_ number: UInt64, _ result: Result<Frame, CaptureError>) {
    guard let index = pending.firstIndex(where: { $0.number == number }) else { return }
    pending[index].result = result
    while let first = pending.first, let result = first.result {
      pending.removeFirst()
      switch result {
      case .success(let picture):
        if first.job != nil { sharedCounters.withLock { $0.encoded += 1 } }
        deliver(picture, toAll: first.isForAll)
      case .failure(let error):
        sharedCounters.withLock { $0.failed += 1 }
        noteFailure(error)
        guard let metadata = first.job?.source.metadata else { continue }
        for (consumer, isThinned) in consumers where first.isForAll || !isThinned {
          consumer.missed(metadata, error)
        }
      }
    }
  }

  private func noteFailure(_ error: CaptureError) {
    failuresInARow += 1
    guard failuresInARow == Self.failuresOfSilence else { return }
    sharedSilence.withLock { $0 = error }
    onSilence?()
  }

  private func endSilence() {
    failuresInARow = 0
    let wasSilent = sharedSilence.withLock { silence in
      defer { silence = nil }
      return silence != nil
    }
    if wasSilent { onSilence?() }
  }

  private func deliver(_ frame: Frame, toAll: Bool) {
    if failuresInARow > 0 { endSilence() }
    for (consumer, isThinned) in consumers where toAll || !isThinned { consumer.receive(frame) }
  }

  private func targetSize(of frame: Frame, turned turn: Orientation) -> ImageSize {
    let size = turn.turned(frame.layout.size)
    return kind.bound.map { size.fitted(into: $0) } ?? size
  }
}

extension ImageSize {
  /// The largest size of the same aspect that fits into `bound`, even in both directions, and never
  /// larger than this one.
  package func fitted(into bound: ImageSize) -> ImageSize {
    guard width > bound.width || height > bound.height else { return self }
    let isWidthBound = width * bound.height >= height * bound.width
    let fitted =
      isWidthBound
      ? ImageSize(width: bound.width, height: height * bound.width / width)
      : ImageSize(width: width * bound.height / height, height: bound.height)
    return ImageSize(width: max(2, fitted.width & ~1), height: max(2, fitted.height & ~1))
  }
}
