import Testing

@testable import CameraProtocol

@Suite("Durations on the wire")
struct DurationTests {
  @Test(
    "A duration becomes whole nanoseconds within the range of the wire",
    arguments: [
      (.zero, 0), (.seconds(-1), 0), (.nanoseconds(1), 1), (.milliseconds(1500), 1_500_000_000),
      (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0),
      (.seconds(Int64.max), .max),
    ] as [(Duration, UInt64)])
  func toWire(_ duration: Duration, _ nanoseconds: UInt64) {
    #expect(duration.wireNanoseconds == nanoseconds)
  }
}
