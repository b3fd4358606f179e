import Imaging
import Testing

@testable import Capture

struct SettledPicturesTests {
  private func grid(_ luma: UInt8) -> LumaGrid {
    LumaGrid(cells: Array(repeating: luma, count: 12))
  }

  /// The place of the first settled picture.
  private func settled(_ lumas: [UInt8?]) -> Int? {
    var pictures = SettledPictures()
    return lumas.firstIndex { pictures.take($0.map(grid)) }
  }

  @Test func `A camera has settled when three pictures are as bright as each other`() {
    #expect(settled([100, 100, 100]) == 2)
    #expect(settled([20, 60, 90, 99, 100, 101]) == 5)
    #expect(settled([20, 60, 100, 100, 60, 100, 100, 100]) == 7)
    #expect(settled([100, 100]) == nil)
  }

  @Test func `A picture that cannot be read says nothing`() {
    #expect(settled([100, 100, nil, 100, 100, 100]) == 5)
  }

  @Test func `In light that changes all the time, the last picture will do`() {
    let lumas = (0..<2 * SettledPictures.most).map { $0.isMultiple(of: 2) ? UInt8(40) : 200 }
    #expect(settled(lumas) == SettledPictures.most - 1)
  }
}
