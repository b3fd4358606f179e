import OperatingSystem
import Testing

@testable import Capture

struct ExposureBoundsTests {
  struct Row: Sendable {
    var marks: TimestampMark
    var timestamp: Int64 = 1000
    var duration: Int64?
    var dequeued: Int64 = 1020
    var expected: ClosedRange<Int64>
  }

  /// The interval is 100.
  @Test(arguments: [
    Row(marks: .exposureStart, expected: 1000...1020),
    Row(marks: .exposureStart, duration: 40, dequeued: 2000, expected: 1000...1140),
    Row(marks: .exposureStart, dequeued: 2000, expected: 1000...1200),
    // It cannot have begun after the dequeue, whatever the stamp says.
    Row(marks: .exposureStart, dequeued: 990, expected: 990...990),
    Row(marks: .frameEnd, expected: 800...1000),
    Row(marks: .frameEnd, duration: 40, expected: 860...1000),
    // A driver that predicts the end.
    Row(marks: .frameEnd, dequeued: 910, expected: 710...910),
    Row(marks: .arrival, expected: 800...1020),
    Row(marks: .arrival, duration: 40, expected: 860...1020),
    Row(marks: .dequeue, timestamp: 1020, expected: 820...1020),
  ])
  func `The bounds contain every moment that the stamp leaves possible`(row: Row) {
    let bounds = ExposureBounds(
      timestamp: MonotonicTime(nanoseconds: row.timestamp), marks: row.marks,
      duration: row.duration, interval: 100, dequeued: MonotonicTime(nanoseconds: row.dequeued))
    #expect(bounds.earliestStart.nanoseconds == row.expected.lowerBound)
    #expect(bounds.latestEnd.nanoseconds == row.expected.upperBound)
  }

  @Test func `A camera that is slower than it promised has a longer interval`() {
    var interval = FrameInterval(promised: 100)
    func advance(_ sequence: UInt64, _ time: Int64) -> Int64 {
      interval.advance(to: sequence, at: MonotonicTime(nanoseconds: time))
    }
    #expect(advance(1, 1000) == 100)
    #expect(advance(2, 1090) == 100)
    #expect(advance(3, 1290) == 200)
    // Two frames were lost: three intervals have passed.
    #expect(advance(6, 1891) == 201)
    #expect(advance(7, 1891) == 100)
    #expect(advance(1, 9000) == 100)
  }
}
