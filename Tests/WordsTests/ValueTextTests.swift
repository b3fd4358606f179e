import Testing
import Words

struct ValueTextTests {
  @Test(arguments: [
    ("10ms", "s", 0.01), ("250 us", "s", 0.00025), ("2s", "s", 2), ("0.5", "s", 0.5),
    ("5e-1", "", 0.5),
    ("2x", "", 2), ("40%", "", 0.4), ("4500K", "K", 4500), ("4500k", "K", 4500),
    ("-1.5EV", "EV", -1.5),
  ])
  func `A number has its unit or none`(text: String, unit: String, value: Double) {
    #expect(ValueText.number(text, unit: unit) == value)
  }

  @Test(arguments: [
    ("", "s"), ("ms", "s"), ("inf", "s"), ("nan", ""), ("1e999", ""), ("5min", "s"), ("10ms", ""),
    ("5 K", "EV"),
  ])
  func `What is no number in that unit is none`(text: String, unit: String) {
    #expect(ValueText.number(text, unit: unit) == nil)
  }

  @Test func `Whole numbers, truths, points and elements are read`() {
    #expect(ValueText.wholeNumber("0x1F") == 31)
    #expect(ValueText.wholeNumber("-7") == -7)
    #expect(ValueText.wholeNumber("7.5") == nil)
    #expect(["1", "TRUE", "on", "yes"].allSatisfy { ValueText.boolean($0) == true })
    #expect(["0", "false", "Off", "no"].allSatisfy { ValueText.boolean($0) == false })
    #expect(ValueText.boolean("2") == nil)
    #expect(ValueText.point("0.25,50%")?.x == 0.25)
    #expect(ValueText.point("0.25,50%")?.y == 0.5)
    #expect(ValueText.point("0.25") == nil)
    #expect(ValueText.elements("1, -2,3") == [1, -2, 3])
    #expect(ValueText.elements("1,b") == nil)
  }
}
