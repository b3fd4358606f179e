package import Capture
package import EventLoop
import Imaging
package import OperatingSystem

/// Takes the pictures of a video.
package protocol VideoConsumer: FrameConsumer {
  /// Whether the picture of the frame taken at `time` has to be one that needs no other. Called
  /// once for each frame, on the frame loop.
  func awaitsKey(at time: MonotonicTime) -> Bool
}

/// A camera's frames as H.264 of one kind, coded once for all consumers and only while there are
/// some.
///
/// A camera that sends H.264 itself has its pictures passed through untouched, if they are to be
/// neither turned, scaled, zoomed, thinned out nor coded with settings of their own. They begin
/// with a key picture, also after one was lost, and the camera is asked for it. Otherwise a thread
/// codes one frame after the other; frames that come while too many wait are dropped before they
/// are coded, and counted, so that what comes out can always be decoded. Consumers get pictures in
/// the camera's order. One that awaits a key picture gets it with the next frame.
// @unchecked: confined to the frame loop, except what has a lock.
package final class VideoStream: FrameConsumer, @unchecked Sendable {
  /// The most frames that wait for the encoder, so that one picture that takes long costs no frame.
  static let maximumWaitingFrames = 3

  /// The encoder's name while the camera's own pictures pass.
  package static let camera = "camera"

  package let kind: VideoKind

  /// Where the pictures come from.
  private enum Source {
    /// From the camera, as soon as there is a key picture.
    case awaited
    /// From the camera; the last one had this ordinal.
    case camera(UInt64)
    /// From the camera, as soon as there is a key picture again, because one was lost.
    case interrupted
    /// From the encoder.
    case encoder
  }

  private struct Shared {
    var counters = EncodedStream.Counters()
    var silence: CaptureError?
    var encoder: String?
    var waiting = 0
    /// Whether pictures that were coded are missing, so that nobody can use those that follow.
    var isBroken = false
  }

  private let shared = Mutex(Shared())
  private let pipeline: FramePipeline
  private let loop: EventLoop
  private let coder: VideoCoder
  private var consumers: [(consumer: any VideoConsumer, isThinned: Bool)] = []
  /// The timestamp of the last frame that is to be a key picture.
  private var lastKey: MonotonicTime?
  private var thinning = Thinning()
  private var divisor = 1
  private var failuresInARow = 0
  private var source = Source.awaited
  /// Frames whose pictures have not come from the thread that codes.
  private var underWay = 0
  /// Called on the frame loop when a silence or an encoder begins or ends.
  package var onChange: (() -> Void)?

  /// - Parameter loop: The thread that codes.
  package init(pipeline: FramePipeline, loop: EventLoop, kind: VideoKind) {
    self.pipeline = pipeline
    self.loop = loop
    self.kind = kind
    coder = VideoCoder(kind)
    thinning.limit = kind.maximumRate
  }

  /// Can be read on any thread.
  package var counters: EncodedStream.Counters { shared.withLock { $0.counters } }
  /// Why there are no pictures at present; nil if there are. Can be read on any thread.
  package var silence: CaptureError? { shared.withLock { $0.silence } }
  /// What codes the pictures; nil if nothing does now. Can be read on any thread.
  package var encoder: String? { shared.withLock { $0.encoder } }

  /// How many frames wait to be coded. Can be read on any thread.
  package var waitingFrames: Int { shared.withLock { $0.waiting } }

  package var hasConsumers: Bool { !consumers.isEmpty }

  package func has(_ consumer: any VideoConsumer) -> Bool {
    consumers.contains { $0.consumer === consumer }
  }

  /// - Parameter isThinned: Whether it gets fewer frames when `thin` says so. While others take all
  ///   frames, it gets them too, because each picture needs those before it.
  package func add(_ consumer: any VideoConsumer, isThinned: Bool = false) {
    if consumers.isEmpty { pipeline.add(self) }
    consumers.append((consumer, isThinned))
    thin()
  }

  /// Codes one of so many frames, as long as no consumer takes all of them.
  package func thin(to divisor: Int) {
    self.divisor = divisor
    thin()
  }

  private func thin() {
    thinning.divisor = consumers.allSatisfy(\.isThinned) ? UInt64(divisor) : 1
  }

  package func remove(_ consumer: any VideoConsumer) {
    consumers.removeAll { $0.consumer === consumer }
    thin()
    guard consumers.isEmpty else { return }
    pipeline.remove(self)
    (lastKey, source) = (nil, .awaited)
    endSilence()
    // A node that stops ends the thread before the streams.
    _ = loop.performUnlessStopped { [self] in
      coder.rest()
      note(encoder: nil)
    }
  }

  package func receive(_ frame: Frame) { take(frame, nil) }

  package func receive(_ frame: Frame, coded: Frame) { take(frame, coded) }

  private func take(_ frame: Frame, _ coded: Frame?) {
    guard mayPass(frame) else {
      source = .encoder
      return code(frame)
    }
    let isKey = coded?.metadata.dependence == .key
    if let coded, isKey ? underWay == 0 : isNext(coded) { return pass(coded) }
    pipeline.askForKeyPicture()
    switch source {
    case .awaited: break
    case .camera, .interrupted:
      source = .interrupted
      shared.withLock { $0.counters.droppedLate += 1 }
    case .encoder: code(frame)
    }
  }

  /// Whether the camera's own picture of a frame is what consumers want.
  private func mayPass(_ frame: Frame) -> Bool {
    guard pipeline.passesVideo, pipeline.format?.devicePixelFormat == .h264, !kind.isReencoded,
      kind.maximumRate == nil, frame.metadata.crop == 1
    else { return false }
    let size = frame.layout.size
    return frame.layout.orientation.followed(by: kind.orientation) == .upright
      && kind.bound.map { size.fitted(into: $0) == size } ?? true
  }

  /// Whether every picture since the last key picture has passed.
  private func isNext(_ coded: Frame) -> Bool {
    guard case .camera(let last) = source else { return false }
    return coded.metadata.ordinal == last + 1
  }

  /// Passes the camera's own picture on.
  private func pass(_ picture: Frame) {
    if case .encoder = source { _ = loop.performUnlessStopped { [coder] in coder.rest() } }
    source = picture.metadata.ordinal.map { .camera($0) } ?? .interrupted
    note(encoder: Self.camera)
    let time = picture.metadata.timestamp
    let isAwaited = consumers.reduce(false) { $1.consumer.awaitsKey(at: time) || $0 }
    if isAwaited, picture.metadata.dependence != .key { pipeline.askForKeyPicture() }
    shared.withLock { $0.counters.passedThrough += 1 }
    endSilence()
    for (consumer, _) in consumers { consumer.receive(picture) }
  }

  private func code(_ frame: Frame) {
    guard frame.layout.pixelFormat.makesPictures else { return }
    let (sequence, time) = (frame.metadata.sequence, frame.metadata.timestamp)
    if let omission = thinning.omission(of: sequence, at: time, every: pipeline.interval) {
      return shared.withLock { $0.counters.count(omission) }
    }
    pipeline.encoders.lateness.needsPicture()
    let (waits, isBroken) = shared.withLock { shared in
      let waits = shared.waiting < Self.maximumWaitingFrames
      if waits { shared.waiting += 1 } else { shared.counters.droppedLate += 1 }
      return (waits, shared.isBroken)
    }
    guard waits else { return pipeline.encoders.lateness.pictureIsLate() }
    let isDue =
      lastKey.map {
        time < $0 || time - $0 >= kind.settings.keyInterval - .nanoseconds(pipeline.interval / 2)
      } ?? true
    let isAwaited = consumers.reduce(false) { $1.consumer.awaitsKey(at: time) || $0 }
    let isKey = isDue || isBroken || isAwaited
    if isKey { lastKey = time }
    let rate = pipeline.format?.frameRate?.framesPerSecond
    underWay += 1
    _ = loop.performUnlessStopped { [self] in
      let outcome = coder.code(frame, isKey: isKey, framesPerSecond: rate)
      note(encoder: coder.name)
      shared.withLock { shared in
        shared.waiting -= 1
        shared.isBroken = outcome.isBroken
      }
      _ = pipeline.loop.performUnlessStopped { [self] in deliver(outcome, of: frame.metadata) }
    }
  }

  private func deliver(_ outcome: VideoCoder.Outcome, of source: FrameMetadata) {
    underWay -= 1
    for picture in outcome.pictures {
      shared.withLock { $0.counters.encoded += 1 }
      endSilence()
      for (consumer, _) in consumers { consumer.receive(picture) }
    }
    guard let error = outcome.error else { return }
    shared.withLock { $0.counters.failed += 1 }
    failuresInARow += 1
    if failuresInARow == EncodedStream.failuresOfSilence {
      shared.withLock { $0.silence = error }
      onChange?()
    }
    for (consumer, _) in consumers { consumer.missed(source, error) }
  }

  private func endSilence() {
    failuresInARow = 0
    let wasSilent = shared.withLock { shared in
      defer { shared.silence = nil }
      return shared.silence != nil
    }
    if wasSilent { onChange?() }
  }

  private func note(encoder name: String?) {
    let isNew = shared.withLock { shared in
      defer { shared.encoder = name }
      return shared.encoder != name
    }
    if isNew { _ = pipeline.loop.performUnlessStopped { [weak self] in self?.onChange?() } }
  }
}
