import Imaging
import OperatingSystem
import Testing

@testable import Capture

/// Which frame the flash lit, by facts and by pictures.
struct FlashSearchTests {
  /// The number of the first picture that is certainly lit, from 0.
  private func lit(_ brightnesses: [Double?], after dark: [Double] = [20, 21, 20]) -> Int? {
    var pictures = LitPictures(after: dark)
    let index = brightnesses.firstIndex { pictures.take($0) }
    return index.map { $0 - 1 }
  }

  @Test(
    arguments: [
      // The first one is lit in part, or as the next.
      ([20, 70, 80, 80, 80], 2), ([80, 80, 80], 1), ([20, 20, 30, 80, 80, 80], 4),
      // Of the last one a part may be missing.
      ([20, 80, 80, 50, 20], nil), ([20, 80, 80, 20], nil), ([20, 80, 20], nil), ([80, 80], nil),
      // The camera's automatic exposes less and less.
      ([20, 80, 75, 70], 2),
      // Not by more than pictures differ, or as a passing cloud.
      ([20, 24, 24, 24], nil), ([], nil),
      // One that cannot be read shows nothing.
      ([20, 80, nil, 80, 80, 80], 4),
    ] as [([Double?], Int?)])
  func `A picture between two that are lit was lit all the time`(
    brightnesses: [Double?], expected: Int?
  ) {
    #expect(lit(brightnesses) == expected)
  }

  @Test func `In a lively scene the light must show more`() {
    let lively = [20.0, 40, 30, 20]
    #expect(lit([70, 70, 70], after: lively) == nil)
    #expect(lit([90, 90, 90], after: lively) == 1)
  }

  @Test func `A frame that says that it was lit is taken, and none that is only lit in part`() {
    var search = FlashSearch(until: MonotonicTime(nanoseconds: 1000), dark: nil)
    #expect(!search.needsPicture && search.evidence == .metadata)
    for (number, flash) in [false, nil, true, true].enumerated() {
      search.take(.taken(number, at: Int64(number), flash: flash), brightness: nil)
      #expect(search.found?.metadata.sequence == (number < 2 ? nil : 2))
    }
    #expect(!search.isOver)
  }

  @Test func `The search is over with the first frame after the light`() {
    for dark in [nil, [20.0]] {
      var search = FlashSearch(until: MonotonicTime(nanoseconds: 1000), dark: dark)
      search.take(.taken(1, at: 1000, flash: false), brightness: 20)
      #expect(!search.isOver)
      search.take(.taken(2, at: 1001, flash: false), brightness: 20)
      #expect(search.isOver && search.found == nil)
      search.take(.taken(3, at: 1002, flash: true), brightness: 90)
      #expect(search.found == nil)
    }
  }

  @Test func `Pictures show the frame before the last one`() {
    var search = FlashSearch(until: MonotonicTime(nanoseconds: 10), dark: [20, 20])
    for number in 1...3 {
      search.take(.taken(number, at: Int64(number), flash: nil), brightness: 90)
    }
    #expect(search.found?.metadata.sequence == 2 && search.evidence == .picture)
  }

  // MARK: Whether it is dark

  @Test(
    arguments: [
      (47, nil, nil, true), (49, nil, nil, false), (nil, 1, nil, false),
      (100, 0.75, nil, true), (100, 0.7, nil, false), (130, 1, 1_000_000_000, false),
      (100, nil, 70_000_000, true), (100, 0.1, 10_000_000, false),
    ] as [(Double?, Double?, Int64?, Bool)])
  func `A scene is dark by its picture, or by what the camera needs for that`(
    brightness: Double?, gain: Double?, exposure: Int64?, isDark: Bool
  ) {
    var facts = FrameFacts()
    (facts.gain, facts.exposure) = (gain, exposure)
    #expect(SceneLight(brightness: brightness, facts: facts).isDark == isDark)
  }

  // MARK: Faults

  @Test func `A fault is named, and the end of the light is none`() {
    #expect(FlashFaults(rawValue: 0).error == nil)
    #expect(FlashFaults(rawValue: 0b10_0010).error == nil)
    let error = FlashFaults(rawValue: 0b1010 | 1 << 20).error
    #expect(error?.code == .deviceFailed)
    #expect(error?.message.contains("(short circuit, fault 20)") == true)
  }
}

extension Frame {
  fileprivate static func taken(_ number: Int, at moment: Int64, flash: Bool?) -> Frame {
    let time = MonotonicTime(nanoseconds: moment)
    var metadata = FrameMetadata(
      sequence: UInt64(number), timestamp: time, marks: .exposureStart,
      exposure: ExposureBounds(earliestStart: time, latestEnd: time), dequeued: time, copied: time,
      wallClock: .now())
    metadata.facts.flash = flash
    return Frame(
      capacity: 1, layout: .compressed(.mjpeg, size: .init(width: 16, height: 16)),
      metadata: metadata)
  }
}
