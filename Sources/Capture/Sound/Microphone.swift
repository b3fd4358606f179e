package import EventLoop
package import OperatingSystem

/// Samples and when they were recorded.
package struct SoundPacket: Sendable {
  package var format: SoundFormat
  /// Those of all channels, of one moment after the other.
  package var samples: [Int16]
  /// When the first one was recorded.
  package var start: MonotonicTime

  package init(format: SoundFormat, samples: [Int16], start: MonotonicTime) {
    self.format = format
    self.samples = samples
    self.start = start
  }

  /// Samples of each channel.
  package var count: Int { samples.count / max(1, format.channels) }
}

/// Gets the sound of a microphone on the microphone's thread. It must not block.
package protocol SoundConsumer: AnyObject, Sendable {
  func receive(_ sound: SoundPacket)
}

/// A microphone, which is open while somebody listens, and shared by all who do.
///
/// While it cannot be opened, and when it is lost, it tries again and again.
// @unchecked: only the loop uses the variables, except for those that have a mutex.
package final class Microphone: @unchecked Sendable {
  /// How it is now.
  package struct Status: Hashable, Sendable {
    /// Nil while it is not open.
    package var format: SoundFormat?
    package var consumers = 0
    /// How much faster it samples than it says, in millionths; nil while that is not known.
    package var drift: Double?
    /// Samples of each channel that were lost since it was opened.
    package var lost: Int64 = 0
    /// Why no sound comes, although somebody listens.
    package var error: SoundError?

    package init() {}
  }

  package let name: String
  private let device: any SoundDevice
  private let loop: EventLoop
  private let pause, patience: Duration
  private let onChange: @Sendable () -> Void
  private let shared = Mutex(Status())
  private var consumers: [any SoundConsumer] = []
  private var open: (any OpenSoundDevice)?
  private var clock = SoundClock(rate: 1)
  /// When the last sample was recorded; nil before the first.
  private var end: MonotonicTime?
  private var lastArrival = MonotonicTime.distantPast
  private var timer: LoopTimer?

  /// - Parameters:
  ///   - loop: A thread that may wait for the driver.
  ///   - pause: The time until it is opened again.
  ///   - patience: A device that delivers nothing for so long is stalled.
  ///   - onChange: Called on `loop` when sound stops, or comes again.
  package init(
    name: String, device: any SoundDevice, on loop: EventLoop,
    pause: Duration = .seconds(1), patience: Duration = .seconds(2),
    onChange: @escaping @Sendable () -> Void
  ) {
    (self.pause, self.patience) = (pause, patience)
    self.name = name
    self.device = device
    self.loop = loop
    self.onChange = onChange
  }

  /// Can be read on any thread.
  package var status: Status { shared.withLock { $0 } }

  /// Gives the consumer the sound from now on. Called on the loop.
  /// - Returns: Why no sound comes; nil if it comes.
  @discardableResult
  package func add(_ consumer: any SoundConsumer) -> SoundError? {
    consumers.append(consumer)
    shared.withLock { $0.consumers = consumers.count }
    if open == nil, timer == nil { start() }
    return status.error
  }

  /// Called on the loop. A consumer that was not added is no mistake.
  package func remove(_ consumer: any SoundConsumer) {
    consumers.removeAll { $0 === consumer }
    shared.withLock { $0.consumers = consumers.count }
    guard consumers.isEmpty else { return }
    close()
    shared.withLock { $0 = Status() }
  }

  private func start() {
    do throws(SoundError) {
      let open = try device.open(
        on: loop, onSound: { [weak self] in self?.take($0) },
        onEnd: { [weak self] in self?.failed($0) })
      guard open.format.rate > 0, open.format.channels > 0 else {
        open.close()
        throw SoundError(
          .failed, "the microphone \(name) says no rate and no channels: use another one")
      }
      self.open = open
      end = nil
      lastArrival = .now
      shared.withLock { $0.format = open.format }
      watch()
    } catch {
      failed(error)
    }
  }

  private func close() {
    timer?.cancel()
    timer = nil
    open?.close()
    open = nil
  }

  private func failed(_ error: SoundError) {
    close()
    let isNew = shared.withLock { shared in
      defer { (shared.error, shared.format, shared.drift) = (error, nil, nil) }
      return shared.error?.cause != error.cause
    }
    timer = loop.schedule(at: .now + pause) { [weak self] in
      self?.timer = nil
      self?.start()
    }
    if isNew { onChange() }
  }

  /// Notices a device that is open and delivers nothing.
  private func watch() {
    let due = lastArrival + patience
    timer = loop.schedule(at: due) { [weak self] in
      guard let self else { return }
      timer = nil
      // Where this comes late, it is the node that stood still.
      if .now - due > patience / 4 { lastArrival = .now }
      guard .now - lastArrival >= patience else { return watch() }
      failed(
        SoundError(
          .stalled, "the microphone \(name) delivers nothing: plug it in again, or use another one")
      )
    }
  }

  private func take(_ chunk: SoundChunk) {
    guard let format = open?.format, !chunk.samples.isEmpty else { return }
    lastArrival = .now
    if chunk.isFirst { clock = SoundClock(rate: format.rate) }
    clock.take(chunk.stamp)
    let start = clock.time(of: chunk.first)
    if chunk.isFirst, let end, start > end {
      let lost = (start - end) / .seconds(1) * Double(format.rate)
      shared.withLock { $0.lost += Int64(lost.rounded()) }
    }
    let packet = SoundPacket(format: format, samples: chunk.samples, start: start)
    end = clock.time(of: chunk.first + Int64(packet.count))
    let wasSilent = shared.withLock { shared in
      defer { (shared.error, shared.drift) = (nil, clock.drift) }
      return shared.error != nil
    }
    for consumer in consumers { consumer.receive(packet) }
    if wasSilent { onChange() }
  }
}
