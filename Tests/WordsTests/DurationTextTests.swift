import Testing
import Words

struct DurationTextTests {
  @Test(arguments: [
    ("5", Duration.seconds(5)), ("0.2s", .milliseconds(200)), ("200ms", .milliseconds(200)),
    ("1.5min", .seconds(90)), ("24h", .seconds(86_400)), ("0", .zero),
  ])
  func `A duration is a number and its unit, or seconds`(text: String, duration: Duration) {
    #expect(DurationText.parse(text) == duration)
  }

  @Test(arguments: ["", "s", "-1s", "nan", "inf", "1d", "1m", "25h", "86401", "1e300s", "9e99h"])
  func `What is no duration, or is longer than a day, is refused`(text: String) {
    #expect(DurationText.parse(text) == nil)
  }
}
