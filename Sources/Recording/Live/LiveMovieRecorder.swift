package import Capture
package import EventLoop
package import OperatingSystem
import Synchronization

/// Keeps a camera's coded pictures of the last moments, and makes movies of those around moments
/// that are asked for, as live photos have them.
///
/// Pictures come on the frame loop, which never waits; a thread that may wait for the disk keeps
/// and writes them.
package final class LiveMovieRecorder: VideoConsumer, SoundConsumer, Sendable {
  private let loop: EventLoop
  private let movies: LiveMovies
  private let waiting: WaitingPictures
  private let waitingSound = Atomic(0)

  /// - Parameters:
  ///   - loop: The thread that writes.
  ///   - syncLoop: The thread that waits until written frames are on the disk.
  ///   - plan: What the movies are like. They are not cut.
  ///   - kind: How much they have around their moments.
  package init(loop: EventLoop, syncLoop: EventLoop, plan: MoviePlan, kind: MovieClips) {
    self.loop = loop
    movies = LiveMovies(loop: loop, syncLoop: syncLoop, plan: plan, kind: kind)
    waiting = WaitingPictures(plan.format.codec)
  }

  /// How far back pictures are kept. Can be read on any thread.
  package var reach: Duration { movies.reach }

  package func awaitsKey(at time: MonotonicTime) -> Bool { waiting.needsKey }

  package func receive(_ frame: Frame) {
    guard !waiting.isBeforeFirst(frame.metadata), waiting.take(frame) else { return }
    // A node that stops ends the thread before the streams.
    _ = loop.performUnlessStopped { [self] in
      movies.take(frame, dropped: waiting.dropped)
      waiting.wrote(frame)
    }
  }

  package func missed(_ frame: FrameMetadata, _ error: CaptureError) { waiting.miss(frame) }

  /// Takes what the microphone heard; silence takes its place when too much waits. Can be called on
  /// any thread.
  package func receive(_ sound: SoundPacket) {
    guard waitingSound.load(ordering: .relaxed) < MovieRecorder.maximumWaitingSound else { return }
    waitingSound.add(1, ordering: .relaxed)
    _ = loop.performUnlessStopped { [self] in
      movies.take(sound)
      waitingSound.subtract(1, ordering: .relaxed)
    }
  }

  /// Makes a movie of what is around a moment. Can be called on any thread.
  /// - Parameters:
  ///   - path: Its file, which is created with its first frame.
  ///   - title: That of the file; nil for the plan's.
  ///   - onEnd: Called on `loop` when the file is closed. A movie without a frame has no file.
  package func begin(
    at moment: MonotonicTime, path: String, title: String? = nil,
    onEnd: @escaping @Sendable (MovieSummary) -> Void
  ) {
    loop.perform { [self] in movies.begin(at: moment, path: path, title: title, onEnd: onEnd) }
  }

  /// Ends the movies with what has come, and keeps nothing more. Can be called on any thread.
  package func end() {
    _ = loop.performUnlessStopped { [self] in movies.end() }
  }
}
