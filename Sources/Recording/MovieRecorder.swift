package import Capture
package import EventLoop
import Imaging
import Synchronization

/// Takes a camera's JPEGs off the frame loop and writes them to a movie on a thread that may wait
/// for the disk.
///
/// The hand-over is bounded: what the disk is too slow for is dropped and counted, and neither the
/// frame loop nor anybody else's frames wait.
package final class MovieRecorder: FrameConsumer, Sendable {
  /// When a movie ends by itself; nil = never.
  package struct Limits: Hashable, Sendable {
    /// Nanoseconds.
    package var duration: Int64?
    /// Of all frames.
    package var byteCount: Int?
    /// What must stay free on the disk, bytes, so that the rest of the system goes on.
    package var minimumFreeBytes: Int

    package init(duration: Int64? = nil, byteCount: Int? = nil, minimumFreeBytes: Int = 64 << 20) {
      self.duration = duration
      self.byteCount = byteCount
      self.minimumFreeBytes = minimumFreeBytes
    }
  }

  /// How a recording goes.
  package struct Progress: Hashable, Sendable {
    package var frames: Int
    package var byteCount: Int
    package var dropped: Int
  }

  /// The most that waits for the disk.
  static let maximumWaitingFrames = 32
  static let maximumWaitingBytes = 128 << 20

  private let loop: EventLoop
  private let writer: BoundedMovieWriter
  private let waitingFrames = Atomic(0)
  private let waitingBytes = Atomic(0)
  private let dropped = Atomic(0)

  /// - Parameters:
  ///   - loop: the thread to write on.
  ///   - syncLoop: the thread that waits until what was written is on the disk.
  ///   - path: the file to create; it comes to be with the first frame.
  ///   - onEnd: called once on `loop`, when the file is closed.
  package init(
    loop: EventLoop,
    syncLoop: EventLoop,
    path: String,
    title: String,
    framesPerSecond: Double?,
    limits: Limits = Limits(),
    onEnd: @escaping @Sendable (MovieSummary) -> Void
  ) {
    self.loop = loop
    writer = BoundedMovieWriter(
      path: path,
      title: title,
      framesPerSecond: framesPerSecond,
      limits: limits,
      syncLoop: syncLoop,
      onEnd: onEnd
    )
  }

  package var progress: Progress {
    let written = writer.written
    return Progress(
      frames: written.frames,
      byteCount: written.byteCount,
      dropped: dropped.load(ordering: .relaxed)
    )
  }

  /// On the frame loop: takes one JPEG, or counts it as dropped when the disk is behind.
  package func receive(_ frame: Frame) {
    guard waitingFrames.load(ordering: .relaxed) < Self.maximumWaitingFrames,
      waitingBytes.load(ordering: .relaxed) + frame.byteCount <= Self.maximumWaitingBytes
    else {
      dropped.add(1, ordering: .relaxed)
      return
    }
    waitingFrames.add(1, ordering: .relaxed)
    waitingBytes.add(frame.byteCount, ordering: .relaxed)
    loop.perform { [self] in
      writer.write(frame, dropped: dropped.load(ordering: .relaxed))
      waitingFrames.subtract(1, ordering: .relaxed)
      waitingBytes.subtract(frame.byteCount, ordering: .relaxed)
    }
  }

  /// Ends the movie after what has been taken; from any thread, and again without effect.
  package func stop(_ reason: MovieSummary.EndReason = .stopped) {
    loop.perform { [self] in
      writer.end(reason, error: nil, dropped: dropped.load(ordering: .relaxed))
    }
  }
}
