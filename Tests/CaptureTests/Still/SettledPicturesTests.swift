import Imaging
import Testing

@testable import Capture

struct SettledPicturesTests {
  /// The place of the first settled picture.
  private func settled(_ pictures: [Double?], expecting expected: Double? = nil) -> Int? {
    var state = SettledPictures(expecting: expected)
    return pictures.firstIndex { state.take($0) }
  }

  @Test func `Three pictures in a row that are as bright as the stream was will do`() {
    #expect(settled([100, 100, 100], expecting: 105) == 2)
    #expect(settled([20, 60, 90, 99, 100, 101], expecting: 100) == 5)
    #expect(settled([20, 60, 100, 100, 60, 100, 100, 100], expecting: 100) == 7)
    #expect(settled([100, 100], expecting: 100) == nil)
  }

  @Test func `A camera that starts in the dark has not settled there`() {
    let start = [Double](repeating: 10, count: 7) + [40, 70, 95]
    #expect(settled(start + [100, 100, 100], expecting: 100) == start.count + 2)
    let bright = [Double](repeating: 100, count: 8)
    #expect(settled(start + bright) == start.count + 7)
  }

  @Test func `If the light has changed, or nobody knows it, eight alike will do`() {
    let pictures = [Double](repeating: 100, count: 20)
    #expect(settled(pictures, expecting: 150) == 7)
    #expect(settled(pictures) == 7)
  }

  @Test func `However long a camera is dark at its start, it has not settled there`() {
    let start = [Double](repeating: 10, count: 100) + [40, 70, 95]
    #expect(settled(start + [100, 100, 100], expecting: 100) == start.count + 2)
    #expect(settled([Double](repeating: 250, count: 200), expecting: 100) == nil)
    // Nearly black scenes are as bright as expected.
    #expect(settled([5, 5, 5], expecting: 1) == 2)
  }

  @Test func `Slowly growing light is no settled light`() {
    let start = (0..<20).map { 10 + 1.2 * Double($0) }
    #expect(settled(start) == nil)
  }

  @Test func `A picture that cannot be read says nothing`() {
    #expect(settled([100, 100, nil, 100, 100, 100], expecting: 100) == 5)
  }

  @Test func `The brightness of a picture is the mean of its cells`() {
    #expect(LumaGrid(cells: [10, 20, 60]).brightness == 30)
    #expect(LumaGrid(cells: []).brightness == nil)
  }

  @Test func `In light that changes all the time, the last picture will do`() {
    let pictures = (0..<2 * SettledPictures.most).map { $0.isMultiple(of: 2) ? 40.0 : 200 }
    #expect(settled(pictures) == SettledPictures.most - 1)
  }
}
