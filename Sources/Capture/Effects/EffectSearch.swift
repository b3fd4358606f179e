import Imaging

/// Finds the first frame that a change of controls affects. Pure: it is told of frames and of what
/// was set.
struct EffectSearch {
  /// After this many frames since the change, none is expected any more.
  static let mostFrames = 16

  /// A frame as the search sees it.
  struct Sight {
    var metadata: FrameMetadata
    /// Nil until it is measured, and for a picture that cannot be read.
    var grid: LumaGrid?
    var isMeasured: Bool
  }

  /// What the frames must say.
  struct WantedFact: Hashable, Sendable {
    var fact: FrameFacts.Fact
    var value: Double?
    var tolerance: Double

    func holds(in facts: FrameFacts) -> Bool {
      guard let value, let actual = facts[fact] else { return value == nil && facts[fact] == nil }
      return abs(actual - value) <= tolerance
    }
  }

  /// Whether pictures must show the change, because the frames do not say all of it.
  let needsPicture: Bool
  /// Whether an earlier change of the controls was still under way, so that an old value may look
  /// like the wanted one.
  let isContested: Bool
  private(set) var sights: [Sight] = []
  /// Set once the controls are.
  private var wanted: [WantedFact]?
  private var change: PictureChange?
  private var framesBefore = 0

  init(needsPicture: Bool, isContested: Bool) {
    self.needsPicture = needsPicture
    self.isContested = isContested
  }

  /// The controls have been set.
  /// - Parameter change: tells whether a picture shows the change.
  mutating func arm(_ facts: [WantedFact], _ change: PictureChange? = nil) {
    wanted = facts
    self.change = change
    framesBefore = sights.count
  }

  mutating func see(_ metadata: FrameMetadata) {
    // Before it is armed, a driver may take long. Only the frames around the change matter.
    if wanted == nil, sights.count >= 4 * Self.mostFrames { sights.removeFirst() }
    sights.append(Sight(metadata: metadata, isMeasured: !needsPicture))
  }

  mutating func measure(_ sequence: UInt64, _ grid: LumaGrid?) {
    guard let index = sights.firstIndex(where: { $0.metadata.sequence == sequence }) else { return }
    (sights[index].grid, sights[index].isMeasured) = (grid, true)
  }

  /// The frame, as soon as it is certain.
  var result: ControlEffect? {
    guard let wanted else { return nil }
    if needsPicture, change == nil { return .notSettled(frames: 0) }
    let last = framesBefore + Self.mostFrames - 1
    var first: FrameMetadata?
    var isSeen = !needsPicture
    var previous = change?.last
    for (index, sight) in sights.enumerated() {
      guard sight.isMeasured else { return nil }
      if let grid = sight.grid, let change, let before = previous {
        if change.isUnusual(change.difference(of: grid, from: before)) { isSeen = true }
        previous = grid
      }
      if isSeen, wanted.allSatisfy({ $0.holds(in: sight.metadata.pictured().facts) }) {
        first = first ?? sight.metadata
        if let first, !isContested { return .frame(first, basis) }
      } else {
        first = nil
      }
      if index >= last { return first.map { .frame($0, basis) } ?? .notSettled(frames: index + 1) }
    }
    return nil
  }

  private var basis: ControlEffect.Basis { needsPicture ? .picture : .metadata }
}
