import Capture
import Testing

@testable import CaptureV4L2

extension GuestTests {
  @Suite struct Controls {
    private let panel: ControlPanel

    init() throws {
      panel = try ControlPanel(camera)
    }

    @Test(
      "Every type of control is listed with its kind",
      arguments: [
        ("brightness", ControlDescription.Kind.integer), ("integer_64_bits", .integer64),
        ("boolean", .boolean), ("menu", .menu), ("integer_menu", .integerMenu),
        ("bitmask", .bitmask), ("string", .string), ("button", .button),
        ("u32_1_element_array", .array), ("u16_8x16_matrix", .array),
        ("u8_2x3x4x5_array", .array), ("u32_dynamic_array", .array), ("area", .compound),
      ]
    )
    func kind(name: String, kind: ControlDescription.Kind) throws {
      #expect(try panel.control(name)?.kind == kind)
    }

    /// A value for each type, and the control's initial value.
    private static let values: [(String, ControlValue, ControlValue)] = [
      ("brightness", .integer(200), .integer(128)),
      ("integer_32_bits", .integer(-2_147_483_648), .integer(0)),
      ("integer_64_bits", .integer(.max), .integer(0)),
      ("boolean", .boolean(false), .boolean(true)),
      ("menu", .integer(4), .integer(3)),
      ("integer_menu", .integer(8), .integer(4)),
      ("bitmask", .integer(0x8000_0010), .integer(0x8000_2000)),
      ("string", .string("abc"), .string("  ")),
      ("u32_1_element_array", .array([131_072]), .array([24])),
      ("u16_8x16_matrix", .array((0..<128).map { 16 + $0 * 60 }), .array(repeating(24, 128))),
      ("u8_2x3x4x5_array", .array((0..<120).map { 16 + $0 % 17 }), .array(repeating(24, 120))),
      ("u32_dynamic_array", .array([10, 20, 90]), .array([50])),
      ("area", .bytes([1, 2, 0, 0, 3, 4, 0, 0]), .bytes([232, 3, 0, 0, 208, 7, 0, 0])),
    ]

    private static func repeating(_ element: Int64, _ count: Int) -> [Int64] {
      Array(repeating: element, count: count)
    }

    @Test("A value of every type can be set, and another program reads it", arguments: values)
    func setting(name: String, value: ControlValue, initial: ControlValue) throws {
      let other = try ControlPanel(camera)
      let id = ControlID(rawValue: name)
      defer { _ = try? panel.device.setValue(initial, of: id) }
      #expect(try other.value(name) == initial)
      #expect(try panel.device.setValue(value, of: id) == value)
      #expect(try other.value(name) == value)
    }

    @Test("Menus have names and the driver's gaps, and so do menus of numbers")
    func menus() throws {
      let menu = try #require(try panel.control("menu")).menu
      #expect(menu.map(\.index) == [1, 3, 4])
      #expect(menu.map(\.name) == ["Menu Item 1", "Menu Item 3", "Menu Item 4"])
      let numbers = try #require(try panel.control("integer_menu")).menu
      #expect(numbers.map(\.name) == ["2", "3", "5", "8", "13", "21", "42"])
    }

    @Test("Ranges, defaults and dimensions come from the driver")
    func ranges() throws {
      let hue = try #require(try panel.control("hue"))
      #expect((hue.minimum, hue.maximum, hue.step, hue.defaultValue) == (-128, 128, 1, 0))
      let array = try #require(try panel.control("u8_2x3x4x5_array"))
      #expect(array.dimensions == [2, 3, 4, 5])
      #expect(array.elementSize == 1)
    }

    @Test(
      "An invalid setting is refused before it reaches the driver",
      arguments: [
        ("brightness", ControlValue.integer(256), CaptureError.Code.invalidControlValue),
        ("menu", .integer(2), .invalidControlValue),
        ("read_only_integer_32_bits", .integer(1), .controlNotWritable),
        ("gain", .integer(1), .controlNotWritable),
        ("brigthness", .integer(1), .noSuchControl),
      ]
    )
    func refused(name: String, value: ControlValue, code: CaptureError.Code) {
      let error = #expect(throws: CaptureError.self) { try panel.set(name, value) }
      #expect(error?.code == code)
      #expect(error?.part == .control(ControlID(rawValue: name)))
    }

    @Test("A button can be pushed and has no value")
    func button() throws {
      try panel.press("button")
      let error = #expect(throws: CaptureError.self) { try panel.value("button") }
      #expect(error?.code == .invalidArgument)
    }

    @Test("A change by another program raises an event, and an own change does not")
    func events() async throws {
      let running = try RunningCamera(camera, FormatRequest("YUYV", 320, 180))
      _ = try await running.nextFrame()
      defer {
        try? panel.set("contrast", .integer(128))
        try? panel.set("hue", .integer(0))
      }
      _ = try running.device.setValue(.integer(7), of: ControlID(rawValue: "hue"))
      try panel.set("contrast", .integer(99))
      #expect(try await running.nextChange(of: ["hue", "contrast"]) == "contrast")
    }

    @Test("A change in one control by another raises an event for every program")
    func consequences() async throws {
      let running = try RunningCamera(camera, FormatRequest("YUYV", 320, 180))
      let automatic = ControlID(rawValue: "gain_automatic")
      _ = try await running.nextFrame()
      defer { _ = try? running.device.setValue(.boolean(true), of: automatic) }
      _ = try running.device.setValue(.boolean(false), of: automatic)
      #expect(try await running.nextChange(of: ["gain"]) == "gain")
      #expect(try panel.control("gain")?.flags.contains(.inactive) == false)
    }
  }
}
