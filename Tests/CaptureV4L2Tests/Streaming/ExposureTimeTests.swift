import Testing

@testable import CaptureV4L2

struct ExposureTimeTests {
  @Test(
    arguments: [
      // Manual, shutter priority, and a camera without modes.
      (1, 100, 10_000_000), (2, 100, 10_000_000), (nil, 1, 100_000),
      // Automatic, aperture priority, a mode that does not exist.
      (0, 100, nil), (3, 100, nil), (7, 100, nil),
      // A value that was not read, or is impossible.
      (1, nil, nil), (1, 0, nil), (1, -1, nil), (nil, .max, nil),
    ] as [(Int64?, Int64?, Int64?)])
  func `The exposure time is known where it is set by hand and was read back`(
    mode: Int64?, absolute: Int64?, expected: Int64?
  ) {
    #expect(ExposureTime.nanoseconds(mode: mode, absolute: absolute) == expected)
  }

  @Test func `After a change the exposure time is unknown for ten frames`() {
    var settled = SettledExposure()
    #expect(settled.next(.init(duration: 5)) == 5)
    #expect(settled.next(.init(duration: nil, changes: 1)) == nil)
    // The ten frames begin with the last change.
    for _ in 0..<10 { #expect(settled.next(.init(duration: 7, changes: 2)) == nil) }
    #expect(settled.next(.init(duration: 7, changes: 2)) == 7)
  }
}
