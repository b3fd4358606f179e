import EventLoop
package import Imaging

/// A camera's frames as JPEGs of one size and quality, made once for all who listen, and only while somebody does.
///
/// The camera's own JPEGs pass through untouched where no scaling is asked. Otherwise an encoder takes the newest
/// frame as soon as it is free; frames that are overtaken while they wait are dropped and counted.
/// Consumers get frames in the camera's order.
// @unchecked: confined to the frame loop, but for the counters, which have a lock.
package final class EncodedStream: FrameConsumer, @unchecked Sendable {
  /// What became of the stream's frames.
  package struct Counters: Hashable, Sendable {
    package var encoded: UInt64 = 0
    package var passedThrough: UInt64 = 0
    /// Overtaken while every encoder was busy.
    package var droppedLate: UInt64 = 0
    package var failed: UInt64 = 0

    package init() {}
  }

  /// On any thread.
  package var counters: Counters { told.withLock { $0 } }
  /// Encoders are at frames of this stream, or will be.
  var isEncoding: Bool { !jobs.isEmpty }

  private let told = Mutex(Counters())
  private let pipeline: FramePipeline
  private let encoders: EncoderPool
  private let bound: ImageSize?
  private let quality: Int
  private var consumers: [any FrameConsumer] = []
  /// In the camera's order; the last may wait for an encoder.
  private var jobs: [EncodeJob] = []
  private var pool: FramePool?
  private var pooledSize: ImageSize?

  /// - Parameters:
  ///   - bound: frames are scaled down to fit into this; nil keeps the camera's size.
  ///   - quality: JPEG quality, 1...100.
  package init(
    pipeline: FramePipeline,
    encoders: EncoderPool,
    fitting bound: ImageSize?,
    quality: Int
  ) {
    self.pipeline = pipeline
    self.encoders = encoders
    self.bound = bound
    self.quality = quality
  }

  package func add(_ consumer: any FrameConsumer) {
    if consumers.isEmpty { pipeline.add(self) }
    consumers.append(consumer)
  }

  package func remove(_ consumer: any FrameConsumer) {
    consumers.removeAll { $0 === consumer }
    guard consumers.isEmpty else { return }
    pipeline.remove(self)
    jobs.removeAll { encoders.withdraw($0) }
    pool = nil
    pooledSize = nil
  }

  package func receive(_ frame: Frame) {
    let size = targetSize(of: frame)
    if frame.layout.pixelFormat.isCompressed, size == frame.layout.size {
      told.withLock { $0.passedThrough += 1 }
      return deliver(frame)
    }
    if let last = jobs.last, encoders.replace(last, with: frame) {
      told.withLock { $0.droppedLate += 1 }
      return
    }
    guard let draft = pool(for: size).take() else {
      told.withLock { $0.droppedLate += 1 }
      return
    }
    let job = EncodeJob(
      frame,
      into: draft,
      size: size == frame.layout.size ? nil : size,
      quality: quality
    ) { [weak self] _ in self?.deliverFinished() }
    jobs.append(job)
    encoders.encode(job)
  }

  private func deliverFinished() {
    while let result = jobs.first?.result {
      jobs.removeFirst()
      switch result {
      case .success(let picture):
        told.withLock { $0.encoded += 1 }
        deliver(picture)
      case .failure:
        told.withLock { $0.failed += 1 }
      }
    }
  }

  private func deliver(_ frame: Frame) {
    for consumer in consumers { consumer.receive(frame) }
  }

  private func targetSize(of frame: Frame) -> ImageSize {
    bound.map { frame.layout.size.fitted(into: $0) } ?? frame.layout.size
  }

  private func pool(for size: ImageSize) -> FramePool {
    if let pool, pooledSize == size { return pool }
    // Beside those being made and the one that waits, some are on their way to subscribers.
    let new = FramePool.jpegs(of: size, limit: encoders.workers.count + 1 + 16)
    pool = new
    pooledSize = size
    return new
  }
}

extension ImageSize {
  /// The largest size of the same aspect that fits into `bound`, even in both directions, never larger than this.
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
