import Capture
import EventLoop
import Imaging
import OperatingSystem

/// The pictures and the sound of a camera's last moments, and the movies that are being made of
/// them: one around each moment that was asked for, also of moments that lie close together.
// @unchecked: confined to the recorder's loop, except for `reach`, which has a lock.
final class LiveMovies: @unchecked Sendable {
  /// How much more is kept than a movie has before its moment, because it is asked for a little
  /// after that.
  private static let slack = Duration.seconds(1)
  /// How long after its end a movie waits for its last frames.
  private static let patience = Duration.seconds(1)

  private let loop: EventLoop
  private let syncLoop: EventLoop
  private let plan: MoviePlan
  private let kind: MovieClips
  private var ring = PictureRing()
  private var layout: ImageLayout?
  private var sounds: SoundHistory?
  private var movies: [LiveMovie] = []
  /// How many movies there were.
  private var count = 0
  /// Frames for which there was no room.
  private var missing = 0
  /// Whether pictures are of no use until one comes that needs no other.
  private var needsKey = false
  private let shared = Mutex(Duration.zero)

  init(loop: EventLoop, syncLoop: EventLoop, plan: MoviePlan, kind: MovieClips) {
    self.loop = loop
    self.syncLoop = syncLoop
    self.plan = plan
    self.kind = kind
    if plan.sound != nil { sounds = SoundHistory(reach: kind.before + Self.slack) }
  }

  /// How far back pictures are kept. Can be read on any thread.
  var reach: Duration { shared.withLock { $0 } }

  /// Takes a picture.
  /// - Parameter dropped: How many frames are missing before it.
  func take(_ frame: Frame, dropped: Int) {
    if let layout, layout != frame.layout { end() }
    layout = frame.layout
    guard keep(frame, dropped: dropped) else { return }
    for movie in movies { advance(movie) }
    let oldest = frame.metadata.timestamp - kind.before - Self.slack
    ring.forget(before: oldest, limit: firstNeeded)
    note()
  }

  func take(_ sound: SoundPacket) {
    sounds?.append(sound)
    for movie in movies { movie.sounds?.append(sound) }
  }

  /// Makes a movie of what is around a moment.
  /// - Parameters:
  ///   - path: Its file, which is created with its first frame.
  ///   - title: That of the file; nil for the plan's.
  ///   - onEnd: Called on the recorder's loop when the file is closed.
  func begin(
    at moment: MonotonicTime, path: String, title: String?,
    onEnd: @escaping @Sendable (MovieSummary) -> Void
  ) {
    var plan = plan
    plan.title = title ?? plan.title
    count += 1
    let number = count
    let movie = LiveMovie(
      number: number, from: moment - kind.before, until: moment + kind.after, sounds: sounds,
      file: BoundedMovieWriter(path: path, plan: plan, limits: plan.limits, syncLoop: syncLoop) {
        [weak self] summary in
        self?.remove(number)
        onEnd(summary)
      })
    movies.append(movie)
    // A camera that delivers no frames ends no movie by them.
    movie.timer = loop.schedule(at: max(.now, movie.until) + Self.patience) { [weak movie] in
      movie?.end(.stopped)
    }
    advance(movie)
  }

  /// The stream ends: movies have what has come, and nothing is kept.
  func end() {
    for movie in movies { movie.end(.cameraLost) }
    (ring, layout, needsKey) = (PictureRing(), nil, false)
    note()
  }

  private func note() { shared.withLock { $0 = ring.reach } }

  /// The oldest picture that a movie still needs.
  private var firstNeeded: Int? { movies.compactMap(\.next).min() }

  private func keep(_ frame: Frame, dropped: Int) -> Bool {
    if needsKey, frame.metadata.dependence == .delta {
      missing += 1
      return false
    }
    needsKey = !frame.withBytes {
      ring.append($0, frame.metadata, dropped: dropped + missing, keeping: firstNeeded)
    }
    if needsKey { missing += 1 }
    return !needsKey
  }

  /// Writes what has come of a movie.
  private func advance(_ movie: LiveMovie) {
    if movie.next == nil {
      guard let newest = ring.indices.last, ring.metadata(at: newest).timestamp >= movie.from,
        let start = ring.start(for: movie.from)
      else { return }
      movie.next = start
      movie.dropped = ring.dropped(at: start)
    }
    while let index = movie.next, index < ring.indices.upperBound, let layout {
      let metadata = ring.metadata(at: index)
      guard metadata.timestamp <= movie.until else { return movie.end(.limitReached) }
      movie.next = index + 1
      ring.withBytes(at: index) { picture in
        movie.write(
          picture, layout, metadata, dropped: ring.dropped(at: index) - movie.dropped)
      }
      guard movies.contains(where: { $0 === movie }) else { return }
    }
  }

  private func remove(_ number: Int) {
    movies.first { $0.number == number }?.timer?.cancel()
    movies.removeAll { $0.number == number }
  }
}

/// One movie that is being made. Confined to the recorder's loop.
private final class LiveMovie {
  let number: Int
  let from: MonotonicTime
  let until: MonotonicTime
  private let file: BoundedMovieWriter
  var sounds: SoundHistory?
  var timer: LoopTimer?
  /// The index of the next picture; nil before the first.
  var next: Int?
  /// The frames that were missing when it began.
  var dropped = 0
  private var lost = 0
  private var newest: MonotonicTime?

  init(
    number: Int, from: MonotonicTime, until: MonotonicTime, sounds: SoundHistory?,
    file: BoundedMovieWriter
  ) {
    self.number = number
    self.from = from
    self.until = until
    self.sounds = sounds
    self.file = file
  }

  func write(
    _ picture: RawSpan, _ layout: ImageLayout, _ metadata: FrameMetadata, dropped: Int
  ) {
    if newest == nil { sounds?.begin(at: metadata.timestamp) }
    giveSound(before: metadata.timestamp + SoundHistory.ahead)
    newest = metadata.timestamp
    lost = dropped
    file.write(picture, layout, metadata, dropped: dropped)
  }

  func end(_ reason: MovieSummary.EndReason) {
    if let newest { giveSound(before: newest + SoundHistory.ahead) }
    file.end(reason, error: nil, dropped: lost)
  }

  private func giveSound(before moment: MonotonicTime) {
    for packet in sounds?.take(before: moment) ?? [] { file.write(packet) }
  }
}
