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
  private let title: String
  private let framesPerSecond: Double?
  private let limits: MovieRecorder.Limits
  private let sync: MovieSync
  private var onEnd: (@Sendable (MovieSummary) -> Void)?
  private var writer: MovieWriter?
  private var first, last: FrameMetadata?
  /// When the first frame without a picture was taken, and how many came before the first picture.
  private var firstMissed: MonotonicTime?
  private var missed = 0
  private var nextSpaceCheck = 0
  private let frames = Atomic(0)
  private let bytes = Atomic(0)

  init(
    path: String,
    title: String,
    framesPerSecond: Double?,
    limits: MovieRecorder.Limits,
    syncLoop: EventLoop,
    onEnd: @escaping @Sendable (MovieSummary) -> Void
  ) {
    self.path = path
    self.title = title
    self.framesPerSecond = framesPerSecond
    self.limits = limits
    sync = MovieSync(loop: syncLoop, path: path)
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
      if let limit = limits.byteCount, writer.byteCount + frame.byteCount > limit {
        return end(.limitReached, error: nil, dropped: dropped)
      }
      let stamp = MovieFrameStamp(frame.metadata)
      try frame.withBytes { (bytes) throws(RecordingError) in
        try writer.append(bytes, at: time.wholeNanoseconds, stamp: stamp)
      }
      last = frame.metadata
      frames.store(writer.frameCount, ordering: .relaxed)
      bytes.store(writer.byteCount, ordering: .relaxed)
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
    var summary = MovieSummary(
      reason: reason,
      size: writer?.size ?? ImageSize(width: 0, height: 0),
      frames: writer?.frameCount ?? 0,
      dropped: dropped,
      byteCount: writer?.byteCount ?? 0,
      duration: writer?.duration ?? .zero,
      first: last == nil ? nil : first,
      last: last,
      error: error
    )
    do throws(RecordingError) {
      try writer?.finish()
    } catch {
      summary.reason = error.code == .storageFull ? .storageFull : .storageFailed
      summary.error = summary.error ?? error
    }
    writer = nil
    onEnd(summary)
  }

  /// Checks the free space before the first frame, and then every few megabytes.
  private func checkSpace() throws(RecordingError) {
    let written = writer?.byteCount ?? 0
    guard written >= nextSpaceCheck else { return }
    try Disk.requireSpace(reserve: limits.minimumFreeBytes, forMovieAt: path)
    nextSpaceCheck = written + Self.spaceCheckInterval
  }

  private func writer(for frame: Frame) throws(RecordingError) -> MovieWriter {
    if let writer { return writer }
    first = frame.metadata
    let new = try MovieWriter(
      path: path,
      size: frame.layout.size,
      createdAt: frame.metadata.timestamp.nanoseconds + frame.metadata.wallClock.offset,
      title: title,
      framesPerSecond: framesPerSecond,
      first: MovieFrameStamp(frame.metadata)
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
