import CameraClient
import Foundation
import Testing

struct ClockInstantTests {
  @Test func `Sums and differences stay within what 64 bits hold`() {
    let (first, last) = (WallInstant(nanoseconds: .min), WallInstant(nanoseconds: .max))
    #expect(WallInstant(nanoseconds: 5) + .seconds(1) == WallInstant(nanoseconds: 1_000_000_005))
    #expect(WallInstant(nanoseconds: 5) - .nanoseconds(7) == WallInstant(nanoseconds: -2))
    #expect(last + .seconds(Int64.max) == last && first - .seconds(Int64.max) == first)
    #expect(last - first > .seconds(18_000_000_000) && first - last < .zero && first < last)
    #expect(WallInstant(.distantPast) == first && WallInstant(.distantFuture) == last)
  }

  @Test func `In JSON times are whole nanoseconds, and their names say so`() throws {
    let text = #"{"monotonicNanoseconds":-5,"wallErrorNanoseconds":7,"wallNanoseconds":6}"#
    let time = Timestamp(
      monotonic: MonotonicInstant(nanoseconds: -5), wall: WallInstant(nanoseconds: 6),
      wallError: .nanoseconds(7))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(String(decoding: try encoder.encode(time), as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(Timestamp.self, from: Data(text.utf8)) == time)
    let short = #"{"monotonicNanoseconds":-5,"wallNanoseconds":6}"#
    let unknown = try JSONDecoder().decode(Timestamp.self, from: Data(short.utf8))
    #expect(unknown.wallError == nil)
    #expect(String(decoding: try encoder.encode(unknown), as: UTF8.self) == short)
  }
}
