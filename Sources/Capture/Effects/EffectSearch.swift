import Imaging

/// Finds the first frame that a change of controls affects. Pure: it is told of frames and of what
/// was set.
struct EffectSearch {
  /// After this many frames since the change, none is expected any more.
  static let mostFrames = 16
  /// After this many the search ends also if a busy machine could not measure enough of them.
  static let mostPassed = 3 * mostFrames

  /// A frame as the search sees it.
  struct Sight {
    var metadata: FrameMetadata
    /// Nil until it is measured, and for a picture that cannot be read.
    var grid: LumaGrid?
    var isMeasured: Bool
    /// Whether there were frames before it that the camera lost, or that nobody had the time to
    /// measure. What moves has then moved further, and the change may be in one of them.
    var followsGap = false
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
  /// Whether a frame that shows the change will not do if it may not be the first.
  let isFirstWanted: Bool
  private(set) var sights: [Sight] = []
  /// Set once the controls are.
  private var wanted: [WantedFact]?
  private var change: PictureChange?
  private var framesBefore = 0
  /// How many sights are judged, the picture of the last one, and whether one was unusual.
  private var (judged, previous, isSeen): (Int, LumaGrid?, Bool) = (0, nil, false)
  /// Whether the last judged sight could not be read.
  private var isGap = false
  /// The first of the latest sights that all say what they must.
  private var first: FrameMetadata?
  /// Frames since the change, measured or not.
  private var passed = 0
  /// The number of the last frame that was seen, or that came before the search. A gap in the
  /// numbers is a frame that was lost or not measured.
  private var newest: UInt64?
  /// Whether the change may have been in a frame that was not measured.
  private var isUncertain = false

  /// - Parameter newest: The number of the last frame before the search.
  init(
    needsPicture: Bool, isContested: Bool, isFirstWanted: Bool = true, newest: UInt64? = nil
  ) {
    self.needsPicture = needsPicture
    self.isContested = isContested
    self.isFirstWanted = isFirstWanted
    self.newest = newest
  }

  /// The controls have been set.
  /// - Parameter change: Tells whether a picture shows the change.
  mutating func arm(_ facts: [WantedFact], _ change: PictureChange? = nil) {
    wanted = facts
    self.change = change
    previous = change?.last
    framesBefore = sights.count
  }

  /// A frame has come that nobody has the time to measure.
  mutating func pass() {
    if wanted != nil { passed += 1 }
  }

  mutating func see(_ metadata: FrameMetadata) {
    if wanted != nil { passed += 1 }
    // Before it is armed, a driver may take long. Only the frames around the change matter.
    if wanted == nil, sights.count >= 4 * Self.mostFrames {
      sights.removeFirst()
      sights[0].followsGap = true
    }
    let isNext = newest.map { metadata.sequence == $0 + 1 } ?? true
    sights.append(Sight(metadata: metadata, isMeasured: !needsPicture, followsGap: !isNext))
    newest = metadata.sequence
  }

  mutating func measure(_ sequence: UInt64, _ grid: LumaGrid?) {
    guard let index = sights.firstIndex(where: { $0.metadata.sequence == sequence }) else { return }
    (sights[index].grid, sights[index].isMeasured) = (grid, true)
  }

  /// The frame, as soon as it is certain. Each sight is judged once.
  var result: ControlEffect? {
    mutating get {
      guard let wanted else { return nil }
      if needsPicture, change == nil { return .notSettled(frames: 0) }
      while judged < sights.count, sights[judged].isMeasured {
        judge(sights[judged], wanted)
        judged += 1
        if isUncertain { return .notSettled(frames: judged) }
        if let first, !isContested || judged == lastJudged { return .frame(first, basis) }
        if judged == lastJudged { return .notSettled(frames: judged) }
      }
      return passed < Self.mostPassed ? nil : .notSettled(frames: passed)
    }
  }

  private var lastJudged: Int { framesBefore + Self.mostFrames }

  private mutating func judge(_ sight: Sight, _ wanted: [WantedFact]) {
    if let grid = sight.grid, let change, let before = previous {
      if !isSeen, change.isUnusual(change.difference(of: grid, from: before)) {
        isSeen = true
        isUncertain = isFirstWanted && (isGap || sight.followsGap)
      }
      previous = grid
    }
    isGap = needsPicture && sight.grid == nil
    if isSeen || !needsPicture, wanted.allSatisfy({ $0.holds(in: sight.metadata.pictured().facts) })
    {
      first = first ?? sight.metadata
    } else {
      first = nil
    }
  }

  private var basis: ControlEffect.Basis { needsPicture ? .picture : .metadata }
}
