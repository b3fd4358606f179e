import EventLoop
import Imaging
import OperatingSystem

/// Looks for the effects of changes of controls in a camera's frames. Confined to the frame loop.
///
/// While it looks, photos of `now` wait; afterwards they show no earlier frame.
final class EffectWatch {
  /// Pictures on their way to be measured. They hold memory of the pool's.
  private static let mostUnmeasured = 4
  /// Changes that are looked for at a time. Clients may ask for any number of them.
  private static let mostSearches = 16

  private final class Search {
    var state: EffectSearch
    let timer: LoopTimer
    let onEnd: @Sendable (ControlEffect?) -> Void
    init(
      _ state: EffectSearch, timer: LoopTimer, onEnd: @escaping @Sendable (ControlEffect?) -> Void
    ) {
      (self.state, self.timer, self.onEnd) = (state, timer, onEnd)
    }
  }

  private let loop: EventLoop
  private let encoders: EncoderPool
  private var unmeasured = 0
  private var searches: [UInt64: Search] = [:]
  /// The number of the last change.
  private(set) var lastID: UInt64 = 0
  private var newest: FrameMetadata?
  /// The first frame that has each of the latest changes, as far as that was found.
  private var floors: [(change: UInt64, frame: UInt64)] = []
  /// The same of all changes before them.
  private var oldFloor: UInt64 = 0
  /// Called when photos may be taken that waited.
  var onEnd: (() -> Void)?

  /// - Parameter encoders: Their threads measure the pictures.
  init(loop: EventLoop, encoders: EncoderPool) {
    self.loop = loop
    self.encoders = encoders
  }

  /// The first frame that has all changes, as far as that was found.
  var floor: UInt64 { floors.reduce(oldFloor) { max($0, $1.frame) } }

  /// The numbers of the frames around one that have the same changes, as far as they were found.
  func span(of frame: UInt64) -> ClosedRange<UInt64> {
    let changed = floors.map(\.frame) + [oldFloor]
    let next = changed.filter { $0 > frame }.min()
    return (changed.filter { $0 <= frame }.max() ?? 0)...(next.map { $0 - 1 } ?? .max)
  }

  /// Whether a change is under way.
  var isLooking: Bool { !searches.isEmpty }

  /// The first frame that a photo of `now` may show; nil while nobody knows it.
  /// - Parameter change: The last change before the photo was asked for. Later ones must not make
  ///   it wait, or it might wait for ever.
  func firstOfNow(after change: UInt64) -> UInt64? {
    guard searches.keys.allSatisfy({ $0 > change }) else { return nil }
    return floors.reduce(oldFloor) { $1.change <= change ? max($0, $1.frame) : $0 }
  }

  /// Begins to look at frames, before a change is made.
  /// - Returns: Nil if too many changes are looked for already.
  func begin(needsPicture: Bool, _ request: EffectRequest) -> UInt64? {
    guard searches.count < Self.mostSearches else { return nil }
    lastID += 1
    let id = lastID
    let timer = loop.schedule(at: request.deadline) { [weak self] in self?.giveUp(id) }
    let state = EffectSearch(
      needsPicture: needsPicture, isContested: isLooking, isFirstWanted: request.isFirstWanted,
      newest: newest?.sequence)
    searches[id] = Search(state, timer: timer, onEnd: request.onEnd)
    return id
  }

  /// The change is made. If that is too late, because the search was given up, nothing happens.
  /// - Parameters:
  ///   - facts: What the frames must say.
  ///   - change: Tells whether a picture shows the change.
  ///   - isChanged: Whether a control has another value than before.
  func arm(
    _ id: UInt64, _ facts: [EffectSearch.WantedFact], _ change: PictureChange?, isChanged: Bool
  ) {
    if !isChanged, let newest, searches[id]?.state.isContested == false {
      return end(id, .frame(newest, .unchanged), floor: floor)
    }
    searches[id]?.state.arm(facts, change)
    check(id)
  }

  /// The change has failed.
  func drop(_ id: UInt64) {
    searches.removeValue(forKey: id)?.timer.cancel()
    onEnd?()
  }

  /// A change that nobody needs to look for begins with the next frame: photos of `now` show no
  /// earlier one.
  func changedByNode() { oldFloor = max(oldFloor, nextFrame) }

  func receive(_ frame: Frame) {
    let metadata = frame.metadata
    newest = metadata
    guard isLooking else { return }
    // One measure serves all.
    let isMeasured =
      searches.values.contains { $0.state.needsPicture } && unmeasured < Self.mostUnmeasured
    for search in searches.values {
      if isMeasured || !search.state.needsPicture {
        search.state.see(metadata)
      } else {
        search.state.pass()
      }
    }
    if isMeasured {
      unmeasured += 1
      let job = LumaGridJob(frame, size: LumaGrid.fine) { [weak self] job in
        self?.measured(metadata.sequence, job.grid)
      }
      encoders.measure(job, .first)
    }
    checkAll()
  }

  /// The stream has ended, and with it what could be seen.
  func endAll() {
    for id in searches.keys.sorted() { giveUp(id) }
    (newest, floors, oldFloor) = (nil, [], 0)
  }

  private func measured(_ sequence: UInt64, _ grid: LumaGrid?) {
    unmeasured -= 1
    for search in searches.values where search.state.needsPicture {
      search.state.measure(sequence, grid)
    }
    checkAll()
  }

  private func checkAll() {
    for id in searches.keys.sorted() { check(id) }
  }

  private func check(_ id: UInt64) {
    guard let effect = searches[id]?.state.result else { return }
    switch effect {
    case .frame(let metadata, _): end(id, effect, floor: metadata.sequence)
    // The next frame is the first that nobody has looked at.
    case .notSettled: end(id, effect, floor: nextFrame)
    }
  }

  private var nextFrame: UInt64 { (newest?.sequence ?? 0) + 1 }

  private func giveUp(_ id: UInt64) {
    guard let search = searches[id] else { return }
    end(id, .notSettled(frames: search.state.sights.count), floor: nextFrame)
  }

  private func end(_ id: UInt64, _ effect: ControlEffect?, floor: UInt64) {
    guard let search = searches.removeValue(forKey: id) else { return }
    search.timer.cancel()
    floors.append((id, floor))
    if floors.count > Self.mostSearches { oldFloor = max(oldFloor, floors.removeFirst().frame) }
    search.onEnd(effect)
    onEnd?()
  }
}
