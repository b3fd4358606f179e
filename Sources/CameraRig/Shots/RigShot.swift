public import CameraClient
import OperatingSystem

/// When all or some of a rig's cameras have to be ready, so that a shot is taken.
public enum RigPolicy: Hashable, Sendable {
  /// All cameras, or nothing is taken.
  case all
  /// At least so many.
  case atLeast(Int)
  /// Whoever can: at least one.
  case any

  func allows(_ ready: Int, of all: Int) -> Bool {
    switch self {
    case .all: ready == all && all > 0
    case .atLeast(let count): ready >= max(1, count)
    case .any: ready > 0
    }
  }
}

/// The moment of a shot.
public enum RigTime: Hashable, Sendable {
  /// Now, when all cameras are ready. If a camera has no frames of now, or does not keep them until
  /// its node can know of it, as soon as all nodes can. Within one frame interval it is the moment
  /// that is nearest to frames of all cameras, if they have the same rate.
  case soon
  /// A moment of this machine's monotonic clock, at most some seconds ahead.
  case at(MonotonicInstant)

  /// The moment of a shot whose cameras are ready.
  /// - Parameters:
  ///   - now: By this machine's clock.
  ///   - delay: How long it may take until all nodes know the moment.
  ///   - cameras: All that take part.
  func moment(
    at now: MonotonicInstant, knownAfter delay: Duration, of cameras: [ReadyCamera]
  ) -> MonotonicInstant {
    if case .at(let moment) = self { return moment }
    let interval = cameras.map(\.interval).max() ?? .zero
    let isKept = cameras.allSatisfy { ($0.reach ?? .zero) >= delay + interval }
    let start = isKept ? now - interval : now + delay + interval
    let frames = cameras.compactMap(\.frame)
    let common = CommonPhase(interval: Double(interval.wholeNanoseconds))
    guard interval > .zero, frames.count == cameras.count,
      cameras.allSatisfy({ common.has(Double($0.interval.wholeNanoseconds)) })
    else { return isKept ? now : start }
    return common.best(for: frames, notBefore: start) ?? start
  }
}

/// What matters of a camera that is ready when a moment is chosen.
struct ReadyCamera {
  /// When it took a frame, by this machine's clock; nil if that is not known.
  var frame: MonotonicInstant?
  /// How far back its frames reach that the node keeps; nil while there are none.
  var reach: Duration?
  /// From one frame to the next.
  var interval: Duration
}

/// What a shot of a rig has brought. All moments are those of this machine's clocks, which has no
/// part in taking the pictures.
public struct RigShot: Sendable, Codable {
  /// How it ended.
  public enum Outcome: String, Hashable, Sendable, Codable {
    /// Every camera took its picture.
    case complete
    /// Some did, and the others say why not.
    case incomplete
    /// Too few were ready, so nothing was taken.
    case abandoned
  }

  /// Names it on all nodes.
  public var shot: Identifier
  /// The rig's name.
  public var rig: String?
  /// The moment that was asked of all cameras.
  public var moment: MonotonicInstant
  /// The same moment by this machine's wall clock, whose error is not known here.
  public var wall: WallInstant
  /// How it ended.
  public var outcome: Outcome
  /// The part of each camera, in the order of the rig.
  public var parts: [Part]
  /// How far the beginnings of the exposures lie apart; nil for fewer than two pictures of which
  /// that is known.
  public var skew: Bounds?

  private enum CodingKeys: String, CodingKey {
    case shot, rig
    case moment = "monotonicNanoseconds"
    case wall = "wallNanoseconds"
    case outcome, parts, skew
  }

  /// A duration of which only bounds are known.
  public struct Bounds: Hashable, Sendable, Codable {
    /// It is at least this.
    public var least: Duration
    /// It is at most this.
    public var most: Duration

    private enum CodingKeys: String, CodingKey {
      case least = "leastNanoseconds"
      case most = "mostNanoseconds"
    }

    /// A duration between these.
    public init(least: Duration, most: Duration) { (self.least, self.most) = (least, most) }

    /// The middle of both.
    public var middle: Duration { least + (most - least) / 2 }

    /// How wrong ``middle`` may be.
    public var error: Duration { most - middle }
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
    /// What it took; nil if it took nothing.
    public var picture: Picture?
    /// Why it took nothing, and at which step.
    public var problem: Problem?
    /// At which step it failed.
    public var failedStep: Step?
  }

  /// The steps of a shot.
  public enum Step: String, Hashable, Sendable, Codable {
    /// The node does not answer.
    case connect
    /// The camera was not ready.
    case prepare
    /// It was ready, and took nothing.
    case take
    /// It took the picture, which could not be kept here.
    case keep
  }

  /// A picture of a shot.
  public struct Picture: Sendable, Codable {
    /// The request that took it, as the node's library names it.
    public var requestID: Identifier
    /// Its frame, by the node's clocks; nil where the answer was lost and the library had it.
    public var resolved: ResolvedCapture?
    /// When its exposure began, at the earliest and at the latest; nil if a clock was changed
    /// meanwhile.
    public var earliestStart, latestStart: MonotonicInstant?
    /// The beginning of its exposure minus the moment of the shot.
    public var offset: Bounds?
    /// How far the node's clock was ahead of this machine's.
    public var clock: ClockOffset?
    /// Its files here, the first one first.
    public var files: [File] = []
    /// The camera's calibration, if it has one.
    public var calibration: Calibration?

    private enum CodingKeys: String, CodingKey {
      case requestID, resolved
      case earliestStart = "earliestStartNanoseconds"
      case latestStart = "latestStartNanoseconds"
      case offset, clock, files, calibration
    }
  }

  /// A file of a picture.
  public struct File: Hashable, Sendable, Codable {
    /// Its name in the folder of the shot; nil if it was not written.
    public var name: String?
    /// Its type, such as `image/jpeg`.
    public var mediaType: String
    /// Its length.
    public var byteCount: Int
    /// Its SHA-256, 64 hexadecimal digits.
    public var sha256: String
  }

  /// The parts without a picture.
  public var missing: [Part] { parts.filter { $0.picture == nil } }
}

extension RigShot.Picture {
  /// Judges when it was taken.
  ///
  /// - Parameters:
  ///   - moment: Of the shot.
  ///   - clock: How far the node's clock was ahead; nil if that is not known.
  init(
    _ photo: Photo, moment: MonotonicInstant, clock: ClockOffset?, calibration: Calibration? = nil
  ) {
    requestID = photo.requestID
    resolved = photo.resolved
    files = (photo.files + (photo.depth?.files ?? [])).map {
      RigShot.File(mediaType: $0.mediaType, byteCount: $0.data.count, sha256: $0.sha256)
    }
    self.calibration = calibration
    self.clock = clock
    guard let clock, let resolved = photo.resolved else { return }
    let start = resolved.exposure.startBounds(stamp: resolved.timestamp.monotonic)
    let (earliest, latest) = (start.earliest - clock.most, start.latest - clock.least)
    (earliestStart, latestStart) = (earliest, latest)
    offset = RigShot.Bounds(least: earliest - moment, most: latest - moment)
  }
}

extension ExposureBounds {
  /// When the exposure began by the node's clock, as far as the frame's stamp proves it.
  func startBounds(
    stamp: MonotonicInstant
  ) -> (earliest: MonotonicInstant, latest: MonotonicInstant) {
    if timestampMark == .exposureStart { return (stamp, stamp) }
    return (earliestStart, max(earliestStart, latestEnd - (duration ?? .zero)))
  }
}

extension RigShot {
  /// How far moments lie apart of which only bounds are known.
  static func skew(_ starts: [(earliest: MonotonicInstant, latest: MonotonicInstant)]) -> Bounds? {
    guard starts.count > 1, let firstEnd = starts.map(\.latest).min(),
      let lastStart = starts.map(\.earliest).max()
    else { return nil }
    // The latest end of one and the earliest start of another one: that of the two of each that
    // lie furthest out.
    let ends = starts.indices.sorted { starts[$0].latest > starts[$1].latest }.prefix(2)
    let beginnings = starts.indices.sorted { starts[$0].earliest < starts[$1].earliest }.prefix(2)
    let most = ends.flatMap { end in
      beginnings.filter { $0 != end }.map { starts[end].latest - starts[$0].earliest }
    }.max()
    return Bounds(
      least: max(.zero, lastStart - firstEnd), most: max(.zero, most ?? .zero))
  }
}
