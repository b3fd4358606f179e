import Testing

@testable import Capture

struct ThinningTests {
  @Test func `One frame of each group is kept, also where frames are lost`() {
    var thinning = Thinning()
    #expect((1...5).allSatisfy { thinning.keeps($0) })
    thinning.divisor = 4
    let numbers: [UInt64] = [6, 7, 8, 9, 10, 11, 13, 14, 15, 19, 23, 24, 40]
    #expect(numbers.filter { thinning.keeps($0) } == [6, 8, 13, 19, 23, 24, 40])
    thinning.divisor = 1
    #expect((41...45).allSatisfy { thinning.keeps($0) })
  }
}
