public import CameraClient

/// What a recording of a rig has brought: a movie of each camera, and how they are lined up. All
/// moments are those of this machine's clocks.
public struct RigRecording: Sendable, Codable {
  /// The rig's name.
  public var rig: String?
  /// The moment of the first frames that was asked of all cameras.
  public var from: MonotonicInstant
  /// That of the last frames; nil if nobody has named one.
  public var until: MonotonicInstant?
  /// `from` by this machine's wall clock, whose error is not known here.
  public var wall: WallInstant
  /// How it ended.
  public var outcome: RigShot.Outcome
  /// The part of each camera, in the order of the rig.
  public var parts: [Part]
  /// How far the beginnings of the movies lie apart; nil for fewer than two movies of which that is
  /// known.
  public var skew: RigShot.Bounds?

  private enum CodingKeys: String, CodingKey {
    case rig
    case from = "fromMonotonicNanoseconds"
    case until = "untilMonotonicNanoseconds"
    case wall = "fromWallNanoseconds"
    case outcome, parts, skew
  }

  /// One camera's part.
  public struct Part: Sendable, Codable {
    /// What the camera is called in the rig; the node's name where its cameras are not known.
    public var camera: String
    /// Its node's name in the rig.
    public var node: String
    /// What the node calls it; nil if that is not known.
    public var nodeCamera: String?
    /// Where it is, if the rig says that.
    public var position: RigPosition?
    /// What it recorded; nil if it recorded nothing.
    public var movie: Movie?
    /// Why there is no movie here, or why it is not as it was wanted.
    public var problem: Problem?
    /// At which step it failed. `prepare` is the start of the recording.
    public var failedStep: RigShot.Step?
  }

  /// A movie of a recording.
  public struct Movie: Sendable, Codable {
    /// Names it in the node's library.
    public var recordingID: Identifier
    /// Frames in it.
    public var frames: UInt64
    /// Frames that are missing between its first and its last one; nil if that is not known.
    public var dropped: UInt64?
    /// Why it ended; nil if that is not known.
    public var reason: CameraClient.Movie.EndReason?
    /// Its first and its last frame; nil where the node was killed meanwhile.
    public var first, last: Frame?
    /// How much later than the rig's earliest movie it begins. A player that shows all movies
    /// together begins this one so much later. Nil where that is not known.
    public var delay: RigShot.Bounds?
    /// Its files here; of one that was not fetched, what the library has.
    public var files: [RigShot.File] = []
  }

  /// When a frame of a movie was taken.
  public struct Frame: Sendable, Codable {
    /// The frame by the node's clocks. The file's tag `CAMERABUS_MONOTONIC_NS` is the first one's.
    public var time: MovieFrameTime
    /// When its exposure began, at the earliest and at the latest; nil if a clock was changed
    /// meanwhile.
    public var earliestStart, latestStart: MonotonicInstant?
    /// The beginning of its exposure minus the moment that was asked for; nil without such a
    /// moment.
    public var offset: RigShot.Bounds?
    /// How far the node's clock was ahead of this machine's then.
    public var clock: ClockOffset?

    private enum CodingKeys: String, CodingKey {
      case time
      case earliestStart = "earliestStartNanoseconds"
      case latestStart = "latestStartNanoseconds"
      case offset, clock
    }
  }

  /// The parts without a movie.
  public var missing: [Part] { parts.filter { $0.movie == nil } }
}

extension RigRecording.Part {
  init(_ part: RigShot.Part) {
    self.init(
      camera: part.camera, node: part.node, nodeCamera: part.nodeCamera, position: part.position,
      problem: part.problem, failedStep: part.failedStep)
  }

  mutating func fail(_ step: RigShot.Step, _ error: CameraBusError) {
    (failedStep, problem) = (step, Problem(error))
  }
}

extension RigRecording.Frame {
  /// - Parameters:
  ///   - moment: The one that it is nearest to; nil if nobody has named one.
  ///   - clock: How far the node's clock was ahead; nil if that is not known.
  init(_ time: MovieFrameTime, moment: MonotonicInstant?, clock: ClockOffset?) {
    (self.time, self.clock) = (time, clock)
    guard let clock else { return }
    let start = time.exposure.startBounds(stamp: time.timestamp.monotonic)
    let (earliest, latest) = (start.earliest - clock.most, start.latest - clock.least)
    (earliestStart, latestStart) = (earliest, latest)
    offset = moment.map { RigShot.Bounds(least: earliest - $0, most: latest - $0) }
  }

  /// When its exposure began.
  fileprivate var start: (earliest: MonotonicInstant, latest: MonotonicInstant)? {
    earliestStart.flatMap { earliest in latestStart.map { (earliest, $0) } }
  }
}

extension RigRecording {
  /// Says of each movie how much later than the earliest one it begins, and how far all lie apart.
  mutating func lineUp() {
    let starts = parts.map { $0.movie?.first?.start }
    skew = RigShot.skew(starts.compactMap(\.self))
    // Of two moments that are known by bounds only, the one with the earlier middle.
    let first = starts.indices.filter { starts[$0] != nil }.min { one, other in
      guard let one = starts[one], let other = starts[other] else { return false }
      return (one.earliest - other.latest) + (one.latest - other.earliest) < .zero
    }
    guard let first, let reference = starts[first] else { return }
    for (index, start) in starts.enumerated() {
      guard let start else { continue }
      parts[index].movie?.delay =
        index == first
        ? RigShot.Bounds(least: .zero, most: .zero)
        : RigShot.Bounds(
          least: start.earliest - reference.latest, most: start.latest - reference.earliest)
    }
  }
}
