import OperatingSystem
import Testing

@Suite struct CalendarTimeTests {
  @Test(arguments: [
    (Int64(0), "1970-01-01", "19700101T000000.000Z"),
    (-1, "1969-12-31", "19691231T235959.999Z"),
    (951_782_400_000_999_999, "2000-02-29", "20000229T000000.000Z"),
    (.max, "2262-04-11", "22620411T234716.854Z"),
    (.min, "1677-09-21", "16770921T001243.145Z"),
  ])
  func `A moment is named by its day and time in UTC, rounded down`(
    nanoseconds: Int64,
    day: String,
    stamp: String
  ) {
    let time = CalendarTime(nanoseconds)
    #expect(time.day == day && time.stamp == stamp)
  }

  @Test(arguments: [
    (0, "2026-11-21T09:07:07Z"), (1, "2026-11-21T09:07:07.1Z"), (6, "2026-11-21T09:07:07.123456Z"),
    (9, "2026-11-21T09:07:07.123456789Z"),
  ])
  func `Digits of the fraction that were not asked for are cut off`(count: Int, text: String) {
    #expect(CalendarTime(1_795_252_027_123_456_789).text(fractionDigits: count) == text)
  }
}
