import Capture
import Testing

@Suite struct ControlCheckingTests {
  private static func control(
    _ kind: ControlDescription.Kind,
    flags: ControlDescription.Flags = [],
    _ range: ClosedRange<Int64> = 0...0,
    step: Int64 = 1,
    menu: [Int64: String] = [:],
    dimensions: [Int] = [],
    elementSize: Int = 0
  ) -> ControlDescription {
    ControlDescription(
      id: ControlID(rawValue: "it"),
      name: "It",
      kind: kind,
      flags: flags,
      minimum: range.lowerBound,
      maximum: range.upperBound,
      step: step,
      menu: menu.sorted { $0.key < $1.key }.map { .init(index: $0.key, name: $0.value) },
      dimensions: dimensions,
      elementSize: elementSize
    )
  }

  private static let menu = control(.menu, 1...4, menu: [1: "Manual", 3: "Aperture"])
  private static let numbers = control(.integerMenu, 0...1, menu: [0: "50", 1: "60"])
  private static let matrix = control(.array, 16...8192, dimensions: [2, 3], elementSize: 2)
  private static let stepped = control(.integer, 3...20, step: 5)
  private static let whole = control(.integer64, Int64.min...Int64.max, step: 1000)

  @Test(
    "A valid value is converted to the control's type",
    arguments: [
      (control(.integer, 0...255), ControlValue.integer(255), ControlValue.integer(255)),
      (stepped, .integer(8), .integer(8)),
      (stepped, .integer(10), .integer(8)),
      (stepped, .integer(11), .integer(13)),
      (stepped, .integer(20), .integer(18)),
      (whole, .integer(.max), .integer(9_223_372_036_854_775_192)),
      (control(.boolean), .boolean(true), .boolean(true)),
      (control(.boolean), .integer(1), .boolean(true)),
      (menu, .integer(3), .integer(3)),
      (menu, .string("Aperture"), .integer(3)),
      (numbers, .string("60"), .integer(1)),
      (control(.bitmask, 0...0x80402010), .integer(0x80000010), .integer(0x80000010)),
      (control(.string, 2...4), .string("abc"), .string("abc")),
      (control(.button), .boolean(true), .boolean(true)),
      (control(.button), .press, .press),
      (matrix, .array([16, 17, 18, 19, 20, 8192]), .array([16, 17, 18, 19, 20, 8192])),
      (control(.compound, elementSize: 2), .bytes([1, 2]), .bytes([1, 2])),
      (
        control(.array, flags: .dynamicArray, 0...9, dimensions: [100]), .array([1, 2]),
        .array([1, 2])
      ),
    ]
  )
  func accepted(control: ControlDescription, value: ControlValue, expected: ControlValue) throws {
    #expect(try control.checked(value) == expected)
  }

  @Test(
    "The refusal of a value names the values that the control takes",
    arguments: [
      (
        control(.integer, 0...255), ControlValue.integer(256),
        "it takes a whole number from 0 to 255, not 256"
      ),
      (control(.integer, 0...1), .press, "it takes a whole number from 0 to 1, not nothing"),
      (stepped, .integer(2), "it takes a whole number from 3 to 20 in steps of 5, not 2"),
      (control(.integer, 0...1), .boolean(true), "not true"),
      (control(.boolean), .integer(2), "it takes true or false, not 2"),
      (menu, .integer(2), "it takes one of 1 (Manual), 3 (Aperture), not 2"),
      (menu, .string("Shutter"), "not \"Shutter\""),
      (control(.bitmask, 0...0x11), .integer(2), "it takes the bits of 0x11, not 2"),
      (control(.bitmask, 0...0x11), .integer(-1), "not -1"),
      (control(.string, 2...4), .string("a"), "it takes a text of 2 to 4 bytes, not \"a\""),
      (control(.string, 2...2), .string("äöü"), "it takes a text of 2 bytes"),
      (matrix, .array([1]), "it takes 6 numbers (2 × 3) each from 16 to 8192, not 1 numbers"),
      (matrix, .array([16, 16, 16, 16, 16, 15]), "each from 16 to 8192, not 15"),
      (control(.compound, elementSize: 8), .bytes([1]), "it takes 8 bytes, not 1 bytes"),
    ]
  )
  func refused(control: ControlDescription, value: ControlValue, words: String) {
    let error = #expect(throws: CaptureError.self) { try control.checked(value) }
    #expect(error?.code == .invalidControlValue)
    #expect(error?.part == .control("it"))
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test(
    "A control that cannot be set says why",
    arguments: [
      (ControlDescription.Flags.readOnly, "can only be read"),
      (.inactive, "switch that automatic off first"),
      (.grabbed, "stop the stream"),
      (.disabled, "switched off by the driver"),
    ]
  )
  func notWritable(flag: ControlDescription.Flags, words: String) {
    let control = Self.control(.integer, flags: flag, 0...9)
    let error = #expect(throws: CaptureError.self) { try control.checked(.integer(1)) }
    #expect(error?.code == .controlNotWritable)
    #expect(error?.message.contains(words) == true)
  }

  @Test("A long menu is shortened")
  func longMenu() {
    let items = Dictionary(uniqueKeysWithValues: (0..<22).map { (Int64($0), "Pattern \($0)") })
    let control = Self.control(.menu, 0...21, menu: items)
    let error = #expect(throws: CaptureError.self) { try control.checked(.integer(44)) }
    #expect(error?.message.hasSuffix("7 (Pattern 7) and 14 more, not 44") == true)
  }

  @Test(
    "The error for an unknown name suggests the control that was probably meant",
    arguments: [
      ("brigthness", "did you mean brightness?"), ("gains", "did you mean gain?"),
      ("exposure_time", "list the controls"), ("foo", "list the controls"),
    ]
  )
  func unknown(name: String, words: String) {
    let known = ["brightness", "gain", "contrast", "zoom"].map(ControlID.init(rawValue:))
    let error = CaptureError.noSuchControl(ControlID(rawValue: name), among: known)
    #expect(error.code == .noSuchControl)
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test("A camera without controls says so")
  func none() {
    let error = CaptureError.noSuchControl(ControlID(rawValue: "gain"), among: [])
    #expect(error.message.contains("it has none"))
  }
}
