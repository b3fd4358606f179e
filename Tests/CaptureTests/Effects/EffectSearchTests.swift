import Imaging
import OperatingSystem
import Testing

@testable import Capture

struct EffectSearchTests {
  private static let wanted = [
    EffectSearch.WantedFact(fact: .zoom, value: 2, tolerance: 0.005)
  ]

  private func frame(_ sequence: UInt64, zoom: Double? = nil) -> FrameMetadata {
    let time = MonotonicTime(nanoseconds: Int64(sequence))
    var metadata = FrameMetadata(
      sequence: sequence, timestamp: time, marks: .exposureStart,
      exposure: ExposureBounds(earliestStart: time, latestEnd: time), dequeued: time,
      copied: time, wallClock: .now())
    metadata.facts.zoom = zoom
    return metadata
  }

  private func grid(_ luma: UInt8) -> LumaGrid {
    LumaGrid(cells: Array(repeating: luma, count: LumaGrid.fine.width * LumaGrid.fine.height))
  }

  private func found(_ search: EffectSearch) -> UInt64? {
    var search = search
    guard case .frame(let frame, _)? = search.result else { return nil }
    return frame.sequence
  }

  @Test func `The first frame that says the value is found, even before the call returned`() {
    var search = EffectSearch(needsPicture: false, isContested: false)
    search.see(frame(1, zoom: 1))
    search.see(frame(2, zoom: 2))
    #expect(search.result == nil)
    search.arm(Self.wanted)
    #expect(found(search) == 2)
  }

  @Test func `After sixteen frames it is given up`() {
    var search = EffectSearch(needsPicture: false, isContested: false)
    search.see(frame(1, zoom: 1))
    search.arm(Self.wanted)
    for number in 2...16 { search.see(frame(UInt64(number), zoom: 1)) }
    #expect(search.result == nil)
    search.see(frame(17, zoom: 1))
    #expect(search.result == .notSettled(frames: 17))
  }

  @Test func `Where an earlier change is under way, the last run of frames counts`() {
    var search = EffectSearch(needsPicture: false, isContested: true)
    search.arm(Self.wanted)
    // The old value looks like the wanted one, then the earlier change shows, then this one.
    for number in 1...3 { search.see(frame(UInt64(number), zoom: 2)) }
    search.see(frame(4, zoom: 3))
    for number in 5...15 { search.see(frame(UInt64(number), zoom: 2)) }
    #expect(search.result == nil)
    search.see(frame(16, zoom: 2))
    #expect(found(search) == 5)
  }

  @Test func `A picture is measured in order, whenever the measure comes`() {
    var search = EffectSearch(needsPicture: true, isContested: false)
    search.arm([], PictureChange(since: [grid(100), grid(100), grid(100)]))
    search.see(frame(1))
    search.see(frame(2))
    search.measure(2, grid(120))
    #expect(search.result == nil)
    search.measure(1, grid(100))
    #expect(found(search) == 2)
  }

  @Test func `A change that may be in a frame that was not measured is not said to be in the next`()
  {
    for (isSkipped, isRead) in [(true, true), (false, false), (false, true)] {
      var search = EffectSearch(needsPicture: true, isContested: false)
      search.arm([], PictureChange(since: [grid(100), grid(100), grid(100)]))
      search.see(frame(1))
      search.measure(1, grid(100))
      if isSkipped {
        search.pass()
      } else {
        search.see(frame(2))
        search.measure(2, isRead ? grid(100) : nil)
      }
      search.see(frame(3))
      search.measure(3, grid(120))
      #expect(found(search) == (isRead && !isSkipped ? 3 : nil))
      #expect(search.result != nil)
    }
  }

  /// What moves has moved further then, and looks like the change.
  @Test(arguments: [true, false])
  func `A change that may be in a frame that the camera lost is not said to be in the next`(
    isFirst: Bool
  ) {
    var search = EffectSearch(needsPicture: true, isContested: false, newest: isFirst ? 1 : 2)
    search.arm([], PictureChange(since: [grid(100), grid(100), grid(100)]))
    if !isFirst {
      search.see(frame(3))
      search.measure(3, grid(100))
    }
    search.see(frame(isFirst ? 3 : 5))
    search.measure(isFirst ? 3 : 5, grid(120))
    #expect(search.result == .notSettled(frames: isFirst ? 1 : 2))
  }

  @Test func `A change that may be in a frame from long before the controls were set is uncertain`()
  {
    var search = EffectSearch(needsPicture: true, isContested: false, newest: 0)
    for number in 1...UInt64(4 * EffectSearch.mostFrames + 1) {
      search.see(frame(number))
      search.measure(number, grid(120))
    }
    search.arm([], PictureChange(since: [grid(100), grid(100), grid(100)]))
    #expect(search.result == .notSettled(frames: 1))
  }

  @Test func `It ends also if no frame can be measured`() {
    var search = EffectSearch(needsPicture: true, isContested: false)
    search.arm([], PictureChange(since: [grid(100), grid(100), grid(100)]))
    for _ in 1..<EffectSearch.mostPassed { search.pass() }
    #expect(search.result == nil)
    search.pass()
    #expect(search.result == .notSettled(frames: EffectSearch.mostPassed))
  }

  @Test func `Without pictures from before, nothing can be told`() {
    var search = EffectSearch(needsPicture: true, isContested: false)
    search.arm([])
    #expect(search.result == .notSettled(frames: 0))
  }

  @Test func `What moves anyway does not count as a change`() throws {
    func scene(_ position: Int, luma: UInt8 = 100) -> LumaGrid {
      var cells = Array(repeating: luma, count: LumaGrid.fine.width * LumaGrid.fine.height)
      for row in 0..<4 {
        for column in 0..<4 { cells[row * LumaGrid.fine.width + position + column] = 250 }
      }
      return LumaGrid(cells: cells)
    }
    let change = try #require(PictureChange(since: [scene(0), scene(1), scene(2)]))
    func isUnusual(_ picture: LumaGrid, _ previous: LumaGrid) -> Bool {
      change.isUnusual(change.difference(of: picture, from: previous))
    }
    for position in 3..<28 { #expect(!isUnusual(scene(position), scene(position - 1))) }
    #expect(isUnusual(scene(9, luma: 101), scene(9)))
    #expect(isUnusual(scene(9, luma: 99), scene(9)))
  }
}
