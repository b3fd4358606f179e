import CameraProtocol
import Capture
import OperatingSystem
import Recording

/// Publishes one named stream of a camera on the frames socket.
// @unchecked: confined to the frame loop, except the status, which has locks.
final class StreamOutlet: VideoConsumer, @unchecked Sendable {
  struct Status: Sendable {
    var name: String
    /// False for raw frames.
    var isEncoded: Bool
    var subscribers: Int
    var encoded: UInt64
    var published: UInt64
    var droppedLate: UInt64
    var droppedSlow: UInt64
    var encodingFailed: UInt64
    var thinnedByPressure: UInt64 = 0
    var thinnedByRate: UInt64 = 0
    /// What codes a video; nil if nothing does now.
    var encoder: String?
    /// Why it is not made although it has subscribers.
    var refusal: CaptureError?
  }

  /// The part of the status that the frame loop updates and any thread reads.
  private struct SharedStatus {
    var subscribers = 0
    var published: UInt64 = 0
    var droppedSlow: UInt64 = 0
    /// How many raw frames a configured rate thinned out. Pressure leaves them alone.
    var thinned: UInt64 = 0
    var isSwitchedOff = false
    /// Nil for raw frames.
    var source: StreamSource?
    /// What the sources before this one counted, without what this one had counted for others.
    var countedBefore = EncodedStream.Counters()

    var counters: EncodedStream.Counters? { source.map { $0.counters &+ countedBefore } }
  }

  let name: StreamName
  let topic: PublishedTopic
  private let pipeline: FramePipeline
  private let publisher: Publisher
  private let shared: Mutex<SharedStatus>
  private var isOpen = false
  /// Subscribers cannot ask for key pictures faster than this, because each is larger than others.
  private static let keyPause = Duration.milliseconds(250)
  /// Whether a subscriber of a video waits for a picture that needs no other.
  private var isToBegin = true
  /// When the last such picture was published.
  private var lastKey: MonotonicTime?

  func awaitsKey(at _: MonotonicTime) -> Bool {
    isToBegin && lastKey.map { .now - $0 >= Self.keyPause } ?? true
  }

  /// Thins raw frames out. Others are thinned out before they are encoded.
  private var thinning = Thinning()

  init(
    _ name: StreamName,
    topic: PublishedTopic,
    pipeline: FramePipeline,
    source: StreamSource?,
    publisher: Publisher
  ) {
    self.name = name
    self.topic = topic
    self.pipeline = pipeline
    self.publisher = publisher
    shared = Mutex(SharedStatus(source: source))
  }

  /// Nil for raw frames.
  var source: StreamSource? { shared.withLock { $0.source } }

  /// The JPEGs that it sends; nil for other streams.
  var encoding: EncodedStream? {
    if case .pictures(let encoding)? = source { encoding } else { nil }
  }

  /// Can be read on any thread.
  var status: Status {
    let shared = shared.withLock { $0 }
    let counters = shared.counters ?? EncodedStream.Counters()
    return Status(
      name: name.description,
      isEncoded: shared.source != nil,
      subscribers: shared.subscribers,
      encoded: counters.encoded,
      published: shared.published,
      droppedLate: counters.droppedLate,
      droppedSlow: shared.droppedSlow,
      encodingFailed: counters.failed,
      thinnedByPressure: counters.thinnedByPressure,
      thinnedByRate: counters.thinnedByRate + shared.thinned,
      encoder: shared.source?.encoder,
      refusal: shared.isSwitchedOff
        ? CaptureError(
          .conflict,
          "the stream is switched off by configure: configure it to be enabled, and it is sent again"
        )
        : shared.source?.silence
    )
  }

  /// - Returns: Whether it was closed before, and no pictures can be made of the camera's frames.
  func open() -> Bool {
    guard !isOpen else { return false }
    isOpen = true
    isToBegin = true
    let source = source
    if let source { source.add(self) } else { pipeline.add(self) }
    return source != nil && pipeline.format?.pictureRefusal != nil
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    if let source { source.remove(self) } else { pipeline.remove(self) }
  }

  /// Publishes the pictures of another source from the next frame on. Those of the old one that
  /// are under way could come after newer ones, so they are dropped and counted.
  func publish(from new: StreamSource) {
    let wasOpen = isOpen
    let lost = wasOpen ? source?.pending ?? 0 : 0
    close()
    shared.withLock { shared in
      if var counters = shared.counters {
        counters.droppedLate += UInt64(lost)
        shared.countedBefore = counters &- new.counters
      }
      shared.source = new
    }
    if wasOpen { _ = open() }
  }

  /// Somebody subscribes to a video, perhaps again because pictures were lost.
  func beginsAgain() { isToBegin = true }

  /// Publishes at most so many frames a second; nil for all.
  func limitRate(_ framesPerSecond: Double?) {
    switch source {
    case .pictures(let encoding): encoding.limitRate(framesPerSecond)
    // A video's rate is one of its kind.
    case .video: break
    case nil: thinning.limit = framesPerSecond
    }
  }

  /// Shows in the status that it is not sent although it may have subscribers.
  var isSwitchedOff: Bool {
    get { shared.withLock { $0.isSwitchedOff } }
    set { shared.withLock { $0.isSwitchedOff = newValue } }
  }

  /// Updates the number of subscribers in the status.
  /// - Returns: Whether these are the first ones.
  func count(subscribers count: Int) -> Bool {
    shared.withLock { shared in
      defer { shared.subscribers = count }
      return shared.subscribers == 0 && count > 0
    }
  }

  func receive(_ frame: Frame) {
    let metadata = frame.metadata
    guard
      thinning.omission(
        of: metadata.sequence, at: metadata.timestamp, every: pipeline.interval) == nil
    else { return shared.withLock { $0.thinned += 1 } }
    if metadata.dependence == .key { (isToBegin, lastKey) = (false, .now) }
    // Count before publishing, so that a subscriber that has the frame finds it counted.
    shared.withLock { $0.published += 1 }
    publisher.publish(frame, on: topic)
    let overflows = topic.overflows
    if overflows > 0 { shared.withLock { $0.droppedSlow = overflows } }
  }
}
