import Testing

@testable import CaptureV4L2

@Suite struct FrameNumberingTests {
  @Test("Frames count from 1, whatever the driver's first number is")
  func start() {
    var numbering = FrameNumbering()
    #expect(numbering.advance(to: 17) == 0)
    #expect(numbering.last == 1)
    #expect(numbering.advance(to: 18) == 0)
    #expect(numbering.last == 2)
  }

  @Test("Missing numbers are counted, and the next frame's number is after them")
  func gap() {
    var numbering = FrameNumbering()
    _ = numbering.advance(to: 0)
    #expect(numbering.advance(to: 4) == 3)
    #expect(numbering.last == 5)
  }

  @Test("A number that wraps is not a gap")
  func wrap() {
    var numbering = FrameNumbering()
    _ = numbering.advance(to: .max)
    #expect(numbering.advance(to: 0) == 0)
    #expect(numbering.advance(to: 2) == 1)
    #expect(numbering.last == 4)
  }

  @Test("A driver that does not count, or starts over, has no gaps", arguments: [5, 3, 0])
  func standstill(next: UInt32) {
    var numbering = FrameNumbering()
    _ = numbering.advance(to: 5)
    #expect(numbering.advance(to: next) == 0)
    #expect(numbering.last == 2)
  }
}
