import Capture
import EventLoop
import Imaging
import OperatingSystem
import Synchronization

/// Writes frames to a movie file until a limit, a full disk, an error or a stop ends it.
// @unchecked: only the recorder's loop uses the variables, except for the atomics.
final class BoundedMovieWriter: @unchecked Sendable {
  private static let spaceCheckInterval = 8 << 20

  private let path: String
  private let format: MovieFormat
  private let title: String
  private let framesPerSecond: Double?
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
  private let frames = Atomic(0)
  private let bytes = Atomic(0)

  init(
    path: String,
    format: MovieFormat,
    title: String,
    framesPerSecond: Double?,
    limits: MovieRecorder.Limits,
    syncLoop: EventLoop,
    sound: SoundSettings? = nil,
    onEnd: @escaping @Sendable (MovieSummary) -> Void
  ) {
    self.path = path
    self.format = format
    self.title = title
    self.framesPerSecond = framesPerSecond
    self.limits = limits
    sync = MovieSync(loop: syncLoop, path: path)
    self.sound = sound.map { MovieSound($0) }
    self.onEnd = onEnd
  }

  /// How much is in the file. Can be called on any thread.
  var written: (frames: Int, byteCount: Int) {
    (frames.load(ordering: .relaxed), bytes.load(ordering: .relaxed))
  }

  func write(_ frame: Frame, dropped: Int) {
    guard onEnd != nil else { return }
    do throws(RecordingError) {
      try checkSpace()
      let writer = try writer(for: frame)
      guard writer.size == frame.layout.size else {
        throw RecordingError(
          .unsuitableFrame,
          "the camera's size changed to \(frame.layout.size) while recording"
        )
      }
      let time = frame.metadata.timestamp - (first ?? frame.metadata).timestamp
      if let limit = limits.duration, time >= limit {
        return end(.limitReached, error: nil, dropped: dropped)
      }
      if let limit = limits.byteCount, writer.extent.byteCount + frame.byteCount > limit {
        return end(.limitReached, error: nil, dropped: dropped)
      }
      try sound?.pass(before: frame.metadata.timestamp) { (unit) throws(RecordingError) in
        try writer.append(unit)
      }
      let stamp = MovieFrameStamp(frame.metadata)
      try frame.withBytes { (bytes) throws(RecordingError) in
        try writer.append(
          bytes, at: time.wholeNanoseconds, stamp: stamp, isKey: frame.metadata.dependence != .delta
        )
      }
      let isKept = writer.keptExtent.frameCount
      if isKept == writer.extent.frameCount {
        lastKept = frame.metadata
      } else if isKept == writer.extent.frameCount - 1 {
        lastKept = last
      }
      last = frame.metadata
      frames.store(writer.extent.frameCount, ordering: .relaxed)
      bytes.store(writer.extent.byteCount, ordering: .relaxed)
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

  /// Takes what the microphone heard. Without its encoder a movie goes on without sound.
  func write(_ packet: SoundPacket) {
    guard onEnd != nil else { return }
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
      if let writer, let last { try finishSound(in: writer, after: last.timestamp) }
      try writer?.finish()
    } catch let failure {
      reason = failure.code == .storageFull ? .storageFull : .storageFailed
      error = error ?? failure
      last = lastKept
    }
    let extent = writer?.keptExtent ?? MovieWriter.Extent()
    let summary = MovieSummary(
      reason: reason,
      format: format,
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
    let interval = framesPerSecond.map { Duration.seconds(1 / max($0, 1)) } ?? .zero
    do throws(RecordingError) {
      try sound?.finish(at: last + interval) { (unit) throws(RecordingError) in
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

  private func writer(for frame: Frame) throws(RecordingError) -> MovieWriter {
    if let writer {
      guard VideoCodec(frame.layout.pixelFormat) == format.codec else {
        throw RecordingError(
          .unsuitableFrame,
          "the camera's pictures became \(frame.layout.pixelFormat) while recording")
      }
      return writer
    }
    let parameters = frame.withBytes { bytes in
      AccessUnit(bytes, format.codec)?.parameters(of: bytes) ?? []
    }
    first = frame.metadata
    let soundParameters: SoundParameters?
    do throws(RecordingError) {
      soundParameters = try sound?.begin(at: frame.metadata.timestamp)
    } catch {
      (sound, soundParameters) = (nil, nil)
    }
    let new = try MovieWriter(
      path: path,
      size: frame.layout.size,
      createdAt: frame.metadata.timestamp.nanoseconds + frame.metadata.wallClock.offset,
      title: title,
      framesPerSecond: framesPerSecond,
      first: MovieFrameStamp(frame.metadata),
      format: format,
      parameters: parameters,
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
