import OperatingSystem
import Testing

@testable import Capture

struct ThinningTests {
  private static let interval: Int64 = 33_333_333

  /// The numbers that are kept of frames that come in time.
  private func kept(_ numbers: some Sequence<UInt64>, _ thinning: inout Thinning) -> [UInt64] {
    numbers.filter { number in
      thinning.omission(
        of: number, at: MonotonicTime(nanoseconds: 1_000_000_000 + Int64(number) * Self.interval),
        every: Self.interval) == nil
    }
  }

  @Test func `One frame of each group is kept, also where frames are lost`() {
    var thinning = Thinning()
    #expect(kept(1...5, &thinning) == [1, 2, 3, 4, 5])
    thinning.divisor = 4
    let numbers: [UInt64] = [6, 7, 8, 9, 10, 11, 13, 14, 15, 19, 23, 24, 40]
    #expect(kept(numbers, &thinning) == [6, 8, 13, 19, 23, 24, 40])
    thinning.divisor = 1
    #expect(kept(41...45, &thinning) == [41, 42, 43, 44, 45])
  }

  @Test func `Of the two rules the one that keeps fewer frames holds alone`() {
    var thinning = Thinning()
    thinning.limit = 10
    let tenth = kept(0..<300, &thinning)
    #expect(tenth.count == 100 && zip(tenth, tenth.dropFirst()).allSatisfy { $1 - $0 == 3 })
    thinning.divisor = 2
    #expect(kept(300..<600, &thinning).count == 100, "every second frame is more than that")
    thinning.divisor = 6
    let sixth = kept(600..<900, &thinning)
    #expect(sixth.count == 50 && zip(sixth, sixth.dropFirst()).allSatisfy { $1 - $0 == 6 })
    thinning.limit = nil
    thinning.divisor = 1
    #expect(kept(900..<910, &thinning).count == 10)
  }

  @Test func `The same rate again does not start its beat anew`() {
    var thinning = Thinning()
    thinning.limit = 10
    let numbers = (UInt64(0)..<30).filter { number in
      thinning.limit = 10
      return kept([number], &thinning) == [number]
    }
    #expect(numbers == Array(stride(from: numbers.first ?? 0, to: 30, by: 3)))
  }

  @Test func `A rate that the camera does not reach keeps all frames`() {
    var thinning = Thinning()
    thinning.limit = 60
    #expect(kept(0..<30, &thinning).count == 30)
    thinning.divisor = 2
    #expect(kept(30..<60, &thinning).count == 15)
  }
}
