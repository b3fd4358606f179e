import Capture
import Imaging
import OperatingSystem

/// The pictures of the last seconds, and those of them that the clip under way has. Confined to one
/// thread.
final class ClipRing {
  /// How much more is kept than a clip has before its trigger, because a trigger comes a little
  /// after its moment.
  private static let slack = Duration.seconds(1)

  /// What comes next of the clip.
  enum Step {
    /// Nothing has come yet.
    case nothing
    case picture(Int)
    /// The clip is complete.
    case end
  }

  private let kind: MovieClips
  private let ring: PictureRing
  private var layout: ImageLayout?
  /// How many triggers have a clip.
  private(set) var metTriggers = 0
  /// The moments for which no clip has begun, in their order.
  private var triggers: [MonotonicTime] = []
  private var clip: (until: MonotonicTime, next: Int)?
  /// Frames for which there was no room.
  private var missing = 0
  /// Whether pictures are of no use until one comes that needs no other.
  private var needsKey = false
  /// Whether the next picture follows a pause.
  private var isResumed = false

  init(_ kind: MovieClips, ring: PictureRing = PictureRing()) {
    self.kind = kind
    self.ring = ring
  }

  /// Whether a clip is under way.
  var isBegun: Bool { clip != nil }

  /// How far back pictures are kept.
  var reach: Duration { ring.reach }

  /// - Parameter dropped: How many frames of the recording are missing before it.
  /// - Returns: False if it is of another kind than those before it.
  func append(
    _ picture: RawSpan, _ layout: ImageLayout, _ metadata: FrameMetadata, dropped: Int
  ) -> Bool {
    if let known = self.layout, known != layout { return false }
    self.layout = layout
    if needsKey, metadata.dependence == .delta {
      missing += 1
      return true
    }
    guard
      ring.append(
        picture, metadata, isResumed: isResumed, dropped: dropped + missing, keeping: clip?.next)
    else {
      missing += 1
      needsKey = true
      return true
    }
    needsKey = false
    isResumed = false
    return true
  }

  /// The next picture goes on after a pause.
  func resume() { isResumed = true }

  /// Lets a clip be made of what is around a moment.
  func trigger(at moment: MonotonicTime) {
    if let clip, moment <= clip.until {
      self.clip?.until = max(clip.until, moment + kind.after)
      metTriggers += 1
    } else {
      triggers.append(moment)
      triggers.sort()
    }
  }

  /// Begins the next clip, if there is none under way and its pictures have come.
  func begin() {
    guard clip == nil, let moment = triggers.first, let newest = ring.indices.last,
      ring.metadata(at: newest).timestamp >= moment - kind.before,
      let start = ring.start(for: moment - kind.before)
    else { return }
    var until = moment + kind.after
    let count = triggers.count
    triggers.removeFirst()
    while let next = triggers.first, next <= until {
      until = max(until, next + kind.after)
      triggers.removeFirst()
    }
    metTriggers += count - triggers.count
    clip = (until, start)
  }

  func next() -> Step {
    guard let clip, clip.next < ring.indices.upperBound else { return .nothing }
    guard ring.metadata(at: clip.next).timestamp <= clip.until else {
      self.clip = nil
      return .end
    }
    self.clip?.next += 1
    return .picture(clip.next)
  }

  /// How many frames are missing before the clip's next picture; nil if there is none yet.
  var droppedBeforeNext: Int? {
    guard let clip, clip.next < ring.indices.upperBound else { return nil }
    return ring.dropped(at: clip.next)
  }

  func isResumed(at index: Int) -> Bool { ring.isResumed(at: index) }

  func dropped(at index: Int) -> Int { ring.dropped(at: index) }

  func withPicture(_ index: Int, _ body: (RawSpan, ImageLayout, FrameMetadata) -> Void) {
    guard let layout else { return }
    ring.withBytes(at: index) { body($0, layout, ring.metadata(at: index)) }
  }

  /// Forgets what no clip can have any more.
  func forget() {
    guard let newest = ring.indices.last else { return }
    let oldest = ring.metadata(at: newest).timestamp - kind.before - Self.slack
    ring.forget(before: oldest, limit: clip?.next)
  }
}
