import Testing

@testable import OperatingSystem

@Suite("Wall time as text")
struct WallTimeTests {
  /// `date -u -d TEXT +%s` prints the same seconds.
  @Test(
    "A moment is written in UTC with nine digits, and read back",
    arguments: [
      (0, "1970-01-01T00:00:00.000000000Z"),
      (-1, "1969-12-31T23:59:59.999999999Z"),
      (1_795_252_027_123_456_789, "2026-11-21T09:07:07.123456789Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00.000000000Z"),
      (-2_203_891_200_000_000_000, "1900-03-01T00:00:00.000000000Z"),
      (.max, "2262-04-11T23:47:16.854775807Z"),
      (.min, "1677-09-21T00:12:43.145224192Z"),
    ] as [(Int64, String)])
  func writesAndReads(_ nanoseconds: Int64, _ text: String) {
    #expect(WallTime.text(nanoseconds: nanoseconds) == text)
    #expect(WallTime.nanoseconds(parsing: text) == nanoseconds)
  }

  @Test(
    "A moment is read with any offset and fraction",
    arguments: [
      ("1970-01-01T00:00:01Z", 1_000_000_000),
      ("1970-01-01t00:00:00.5z", 500_000_000),
      ("1970-01-01T01:00:00+01:00", 0),
      ("1969-12-31T19:30:00.25-04:30", 250_000_000),
      ("2024-02-29T12:00:00+00:00", 1_709_208_000_000_000_000),
    ] as [(String, Int64)])
  func reads(_ text: String, _ nanoseconds: Int64) {
    #expect(WallTime.nanoseconds(parsing: text) == nanoseconds)
  }

  @Test(
    "What is no moment is refused",
    arguments: [
      "", "now", "2026-11-21", "2026-11-21T09:07:07", "2026-11-21T09:07Z", "2026-11-21 09:07:07Z",
      "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-31T00:00:00Z",
      "2026-11-00T00:00:00Z",
      "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-11-21T24:00:00Z",
      "2026-11-21T09:60:00Z",
      "2026-11-21T09:07:60Z", "2026-11-21T09:07:07.Z", "2026-11-21T09:07:07.1234567890Z",
      "2026-11-21T09:07:07Zz", "2026-11-21T09:07:07+1:00", "2026-11-21T09:07:07+24:00",
      "-026-11-21T09:07:07Z", "2263-01-01T00:00:00Z", "1677-01-01T00:00:00Z",
      "0000-01-01T00:00:00Z",
      "2026-11-21T09:07:07.\u{0663}Z",
    ])
  func refuses(_ text: String) {
    #expect(WallTime.nanoseconds(parsing: text) == nil)
  }
}
