import Capture
import EventLoop
import Imaging
import OperatingSystem

/// Writes pictures to a movie file until a limit, a full disk, an error or a stop ends it.
// @unchecked: confined to the recorder's loop.
final class BoundedMovieWriter: @unchecked Sendable {
  private static let spaceCheckInterval = 8 << 20

  let path: String
  private let plan: MoviePlan
  private let limits: MovieRecorder.Limits
  private let sync: MovieSync
  /// Nil for a movie without sound.
  private var sound: MovieSound?
  private var onEnd: (@Sendable (MovieSummary) -> Void)?
  private var writer: MovieWriter?
  private var first, last: FrameMetadata?
  /// The last frame that a file has which cannot be completed.
  private var lastKept: FrameMetadata?
  /// When the first frame without a picture was taken, and how many came before the first picture.
  private var firstMissed: MonotonicTime?
  private var missed = 0
  private var nextSpaceCheck = 0
  /// How long the movie was paused: times in the file are without it.
  private var paused = Duration.zero
  private var isResumed = false

  /// - Parameter limits: What is left of the plan's.
  init(
    path: String, plan: MoviePlan, limits: MovieRecorder.Limits, syncLoop: EventLoop,
    onEnd: @escaping @Sendable (MovieSummary) -> Void
  ) {
    self.path = path
    self.plan = plan
    self.limits = limits
    sync = MovieSync(loop: syncLoop, path: path)
    sound = plan.sound.map { MovieSound($0) }
    self.onEnd = onEnd
  }

  /// What was appended.
  var extent: MovieWriter.Extent { writer?.extent ?? MovieWriter.Extent() }

  /// The next picture follows the last one, whatever its time.
  func resume() { isResumed = true }

  /// A moment's time in the file.
  func time(of moment: MonotonicTime) -> Duration {
    first.map { moment - $0.timestamp - paused } ?? .zero
  }

  /// - Parameter layout: The picture's.
  func write(_ picture: RawSpan, _ layout: ImageLayout, _ metadata: FrameMetadata, dropped: Int) {
    guard onEnd != nil else { return }
    do throws(RecordingError) {
      try checkSpace()
      let writer = try writer(for: picture, layout, metadata)
      guard writer.size == layout.size else {
        throw RecordingError(
          .unsuitableFrame,
          "the camera's size changed to \(layout.size) while recording"
        )
      }
      if isResumed, let last {
        paused += metadata.timestamp - last.timestamp - plan.interval
        isResumed = false
      }
      let time = time(of: metadata.timestamp)
      if let limit = limits.duration, time >= limit {
        return end(.limitReached, error: nil, dropped: dropped)
      }
      if let limit = limits.byteCount, writer.extent.byteCount + picture.byteCount > limit {
        return end(.limitReached, error: nil, dropped: dropped)
      }
      try sound?.pass(before: metadata.timestamp - paused) { (unit) throws(RecordingError) in
        try writer.append(unit)
      }
      try writer.append(
        picture, at: time.wholeNanoseconds, stamp: MovieFrameStamp(metadata),
        isKey: metadata.dependence != .delta)
      let isKept = writer.keptExtent.frameCount
      if isKept == writer.extent.frameCount {
        lastKept = metadata
      } else if isKept == writer.extent.frameCount - 1 {
        lastKept = last
      }
      last = metadata
      try sync.wrote(at: .now)
    } catch {
      let reason: MovieSummary.EndReason =
        switch error.code {
        case .storageFull: .storageFull
        // The client gave the session another format.
        case .unsuitableFrame: .stopped
        default: .storageFailed
        }
      end(reason, error: error, dropped: dropped)
    }
  }

  /// Takes what the microphone heard, in its order. Without its encoder a movie goes on without
  /// sound.
  func write(_ packet: SoundPacket) {
    guard onEnd != nil else { return }
    var packet = packet
    packet.start = packet.start - paused
    do throws(RecordingError) { try sound?.take(packet) } catch { sound = nil }
  }

  /// A frame has no picture.
  func miss(at time: MonotonicTime, _ error: CaptureError, dropped: Int) {
    guard onEnd != nil else { return }
    let start = first?.timestamp ?? firstMissed ?? time
    firstMissed = firstMissed ?? time
    if first == nil { missed += 1 }
    let isOver = limits.duration.map { time - start >= $0 } ?? false
    let isHopeless = first == nil && missed >= EncodedStream.failuresOfSilence
    guard isOver || isHopeless else { return }
    end(
      .limitReached, error: first == nil ? RecordingError(.notEncodable, error.message) : nil,
      dropped: dropped)
  }

  func end(_ reason: MovieSummary.EndReason, error: RecordingError?, dropped: Int) {
    guard let onEnd else { return }
    self.onEnd = nil
    var (reason, error, last) = (reason, error, last)
    do throws(RecordingError) {
      if let writer, let last { try finishSound(in: writer, after: last.timestamp - paused) }
      try writer?.finish()
    } catch let failure {
      reason = failure.code == .storageFull ? .storageFull : .storageFailed
      error = error ?? failure
      last = lastKept
    }
    let extent = writer?.keptExtent ?? MovieWriter.Extent()
    let summary = MovieSummary(
      reason: reason,
      format: plan.format,
      size: writer?.size ?? ImageSize(width: 0, height: 0),
      frames: extent.frameCount,
      dropped: dropped,
      byteCount: extent.byteCount,
      duration: extent.duration,
      first: last == nil ? nil : first,
      last: last,
      error: error,
      sound: sound.map { MovieSummary.Sound(codec: $0.codec, silent: $0.silent) }
    )
    writer = nil
    onEnd(summary)
  }

  private func finishSound(
    in writer: MovieWriter, after last: MonotonicTime
  ) throws(RecordingError) {
    do throws(RecordingError) {
      try sound?.finish(at: last + plan.interval) { (unit) throws(RecordingError) in
        try writer.append(unit)
      }
    } catch {
      // An encoder that fails at the end costs the movie its last moment of sound.
      guard error.code == .notEncodable else { throw error }
    }
  }

  /// Checks the free space before the first frame, and then every few megabytes.
  private func checkSpace() throws(RecordingError) {
    let written = writer?.extent.byteCount ?? 0
    guard written >= nextSpaceCheck else { return }
    try Disk.requireSpace(reserve: limits.minimumFreeBytes, forMovieAt: path)
    nextSpaceCheck = written + Self.spaceCheckInterval
  }

  private func writer(
    for picture: RawSpan, _ layout: ImageLayout, _ metadata: FrameMetadata
  ) throws(RecordingError) -> MovieWriter {
    if let writer {
      guard VideoCodec(layout.pixelFormat) == plan.format.codec else {
        throw RecordingError(
          .unsuitableFrame, "the camera's pictures became \(layout.pixelFormat) while recording")
      }
      return writer
    }
    first = metadata
    let soundParameters: SoundParameters?
    do throws(RecordingError) {
      soundParameters = try sound?.begin(at: metadata.timestamp)
    } catch {
      (sound, soundParameters) = (nil, nil)
    }
    let new = try MovieWriter(
      path: path,
      size: layout.size,
      createdAt: metadata.timestamp.nanoseconds + metadata.wallClock.offset,
      title: plan.title,
      framesPerSecond: plan.framesPerSecond,
      first: MovieFrameStamp(metadata),
      format: plan.format,
      parameters: plan.format.codec.standard.flatMap { AccessUnit(picture, $0) }?
        .parameters(of: picture) ?? [],
      sound: soundParameters
    )
    writer = new
    return new
  }
}

extension MovieFrameStamp {
  fileprivate init(_ metadata: FrameMetadata) {
    let time = metadata.timestamp.nanoseconds
    self.init(
      sequence: metadata.sequence, monotonic: time, wall: time + metadata.wallClock.offset)
  }
}
