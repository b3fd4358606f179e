import Capture
import Imaging
import OperatingSystem
import Synchronization
import TestSupport

/// A copy of a received frame, so that its memory can return to the pool.
struct Picture: Hashable, Sendable {
  var layout: ImageLayout
  var metadata: FrameMetadata
  var bytes: [UInt8]
}

/// Records all of a device's calls in order.
// @unchecked: only the frame loop touches the pool and the held frames; the stream is thread-safe.
final class RecordingReceiver: FrameReceiver, @unchecked Sendable {
  enum Event: Hashable, Sendable {
    case picture(Picture)
    case lost(Int, FrameLoss)
    case controlChanged(ControlID)
    case failed(CaptureError)
  }

  /// Unbounded, because tests are short.
  private let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let count = Atomic(0)
  private let poolLimit: Int
  private let holdsFrames: Bool
  private var pool: FramePool?
  private var held: [Frame] = []

  /// - Parameter holdsFrames: Whether frames stay out of their pool until `releaseHeldFrames`.
  init(poolLimit: Int = 4, holdsFrames: Bool = false) {
    self.poolLimit = poolLimit
    self.holdsFrames = holdsFrames
    (events, continuation) = AsyncStream.makeStream()
  }

  /// The number of events so far.
  var eventCount: Int { count.load(ordering: .acquiring) }

  /// Releases the held frames. Call it on the frame loop.
  func releaseHeldFrames() { held = [] }

  // MARK: Reading

  /// The next event for which `choose` returns a value. Earlier events are skipped.
  func next<R>(_ choose: (Event) -> R?) async -> R? {
    for await event in events {
      if let chosen = choose(event) { return chosen }
    }
    return nil
  }

  /// The next picture that was exposed at this time or later.
  func picture(since time: MonotonicTime = MonotonicTime(nanoseconds: 0)) async -> Picture? {
    await next { event in
      guard case .picture(let picture) = event, picture.metadata.timestamp >= time else {
        return nil
      }
      return picture
    }
  }

  func pictures(_ count: Int) async -> [Picture] {
    var pictures: [Picture] = []
    while pictures.count < count, let picture = await picture() { pictures.append(picture) }
    return pictures
  }

  /// All events up to and including the next one for which `isLast` is true.
  func events(through isLast: (Event) -> Bool) async -> [Event] {
    var seen: [Event] = []
    _ = await next { event in
      seen.append(event)
      return isLast(event) ? true : nil
    }
    return seen
  }

  // MARK: FrameReceiver

  func wants(frameOf time: MonotonicTime) -> Bool { true }

  func draft(byteCount: Int) -> FrameDraft? {
    let pool = pool ?? FramePool(limit: poolLimit, byteCount: 1 << 23, layout: .none)
    self.pool = pool
    let draft = pool.take()
    if draft == nil { record(.lost(1, .poolExhausted)) }
    return draft
  }

  func receive(_ frame: Frame) {
    if holdsFrames { held.append(frame) }
    record(.picture(Picture(layout: frame.layout, metadata: frame.metadata, bytes: frame.bytes)))
  }

  func lost(_ count: Int, _ reason: FrameLoss) { record(.lost(count, reason)) }

  func controlChanged(_ control: ControlID) { record(.controlChanged(control)) }

  func failed(_ error: CaptureError) { record(.failed(error)) }

  private func record(_ event: Event) {
    count.add(1, ordering: .acquiringAndReleasing)
    continuation.yield(event)
  }
}

extension ImageLayout {
  fileprivate static let none = ImageLayout.compressed(
    .mjpeg,
    size: ImageSize(width: 2, height: 2)
  )
}
