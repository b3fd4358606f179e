import EventLoop
import Imaging
import OperatingSystem

/// Looks for the effects of changes of controls in a camera's frames. Confined to the frame loop.
///
/// While it looks, photos of `now` wait; afterwards they show no earlier frame.
// @unchecked: confined to the frame loop.
final class EffectWatch: @unchecked Sendable {
  /// Measures a picture on another thread, and calls back on the frame loop.
  typealias Measuring = @Sendable (Frame, @escaping @Sendable (LumaGrid?) -> Void) -> Void

  /// Pictures on their way to be measured. They hold memory of the pool's.
  private static let mostUnmeasured = 4

  private final class Search {
    var state: EffectSearch
    let timer: LoopTimer
    let onEnd: @Sendable (ControlEffect?) -> Void
    var unmeasured = 0

    init(
      _ state: EffectSearch, timer: LoopTimer, onEnd: @escaping @Sendable (ControlEffect?) -> Void
    ) {
      (self.state, self.timer, self.onEnd) = (state, timer, onEnd)
    }
  }

  private let loop: EventLoop
  private var measuring: Measuring?
  private var searches: [UInt64: Search] = [:]
  private var lastID: UInt64 = 0
  private var newest: FrameMetadata?
  /// The first frame that has all changes, as far as that was found.
  private(set) var floor: UInt64 = 0
  /// Called when photos may be taken that waited.
  var onEnd: (() -> Void)?

  init(loop: EventLoop) {
    self.loop = loop
  }

  /// Whether a change is under way.
  var isLooking: Bool { !searches.isEmpty }

  /// The first frame that a photo of `now` may show; nil while nobody knows it.
  var firstOfNow: UInt64? { isLooking ? nil : floor }

  /// Begins to look at frames, before a change is made.
  /// - Parameter measuring: measures the pictures.
  func begin(needsPicture: Bool, _ request: EffectRequest, measuring: @escaping Measuring) -> UInt64
  {
    lastID += 1
    let id = lastID
    let timer = loop.schedule(at: request.deadline) { [weak self] in self?.giveUp(id) }
    let state = EffectSearch(needsPicture: needsPicture, isContested: isLooking)
    searches[id] = Search(state, timer: timer, onEnd: request.onEnd)
    self.measuring = measuring
    return id
  }

  /// The change is made. If that is too late, because the search was given up, nothing happens.
  /// - Parameters:
  ///   - facts: what the frames must say.
  ///   - change: tells whether a picture shows the change.
  ///   - isChanged: whether a control has another value than before.
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
    served()
  }

  func receive(_ frame: Frame) {
    newest = frame.metadata
    guard isLooking else { return }
    for id in searches.keys.sorted() { see(frame, id) }
  }

  /// The stream has ended, and with it what could be seen.
  func endAll() {
    for id in searches.keys.sorted() { giveUp(id) }
    (newest, floor) = (nil, 0)
  }

  private func see(_ frame: Frame, _ id: UInt64) {
    guard let search = searches[id] else { return }
    let metadata = frame.metadata
    if search.state.needsPicture {
      guard search.unmeasured < Self.mostUnmeasured else { return }
      search.unmeasured += 1
      measuring?(frame) { [weak self] grid in self?.measured(id, metadata.sequence, grid) }
    }
    search.state.see(metadata)
    check(id)
  }

  private func measured(_ id: UInt64, _ sequence: UInt64, _ grid: LumaGrid?) {
    guard let search = searches[id] else { return }
    search.unmeasured -= 1
    search.state.measure(sequence, grid)
    check(id)
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
    self.floor = max(self.floor, floor)
    search.onEnd(effect)
    served()
  }

  private func served() {
    guard searches.isEmpty else { return }
    measuring = nil
    onEnd?()
  }
}
