import CVideo4Linux
import Capture
import Testing

@testable import CaptureV4L2

@Suite struct ArrayCodingTests {
  @Test("Elements are coded in the machine's byte order and decoded unchanged")
  func roundTrip() throws {
    let matrix = try #require(ArrayCoding(type: V4L2_CTRL_TYPE_U16, elementSize: 2))
    let bytes = matrix.encode([1, 0x1234, 65535])
    #expect(bytes == [1, 0, 0x34, 0x12, 0xff, 0xff])
    #expect(matrix.decode(bytes[...]) == [1, 0x1234, 65535])
  }

  @Test("Only signed types read the highest bit as a sign")
  func sign() throws {
    let signed = try #require(ArrayCoding(type: V4L2_CTRL_TYPE_INTEGER, elementSize: 4))
    let unsigned = try #require(ArrayCoding(type: V4L2_CTRL_TYPE_U32, elementSize: 4))
    let wide = try #require(ArrayCoding(type: V4L2_CTRL_TYPE_INTEGER64, elementSize: 8))
    #expect(signed.decode([0xfe, 0xff, 0xff, 0xff]) == [-2])
    #expect(unsigned.decode([0xfe, 0xff, 0xff, 0xff]) == [4_294_967_294])
    #expect(wide.decode(wide.encode([.min, .max])[...]) == [.min, .max])
  }

  @Test("A rectangle of Linux 6.14 is four numbers; one of another size is bytes")
  func rectangle() throws {
    let region = try #require(ArrayCoding(type: V4L2_CTRL_TYPE_INTEGER, elementSize: 4))
    var answer = v4l2_query_ext_ctrl()
    (answer.id, answer.type, answer.elem_size, answer.elems) = (0x0098_1ae1, 0x107, 16, 1)
    let control = DriverControl(answer, name: ControlID(rawValue: "region"), menu: [])
    #expect(control.description.kind == .array)
    #expect(control.description.dimensions == [4])
    #expect(control.description.standard == .regionOfInterest)
    #expect(control.coding == .array(region, capacity: 16))
    #expect(throws: Never.self) { try control.description.checked(.array([-4, 8, 1920, 1080])) }
    #expect(
      region.decode(region.encode([-4, 8, 1920, 1080])[...]) == [
        -4, 8, 1920, 1080,
      ])
    answer.elem_size = 24
    #expect(
      DriverControl(answer, name: ControlID(rawValue: "region"), menu: []).description.kind
        == .compound)
  }

  @Test("Bytes after the last whole element are ignored")
  func rest() throws {
    let matrix = try #require(ArrayCoding(type: V4L2_CTRL_TYPE_U16, elementSize: 2))
    #expect(matrix.decode([1, 0, 2]) == [1])
    #expect(matrix.decode([]) == [])
  }

  @Test("A structure has no elements")
  func structure() {
    #expect(ArrayCoding(type: V4L2_CTRL_TYPE_AREA, elementSize: 8) == nil)
  }
}
