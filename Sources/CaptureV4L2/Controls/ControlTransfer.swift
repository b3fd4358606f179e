import CVideo4Linux
import Capture
import EventLoop
import OperatingSystem

/// Reads and writes the values of a device's controls.
struct ControlTransfer {
  let node: any RequestNode

  /// Which values of controls a request is about. The last two are of Linux 6.14.
  private enum Which {
    static let present = UInt32(V4L2_CTRL_WHICH_CUR_VAL)
    /// `V4L2_CTRL_WHICH_MIN_VAL` and `V4L2_CTRL_WHICH_MAX_VAL`.
    static let (lowest, highest): (UInt32, UInt32) = (0x0f02_0000, 0x0f03_0000)
  }

  private enum Direction { case get, set }

  /// The smallest and the largest region that a driver takes; nil if it does not say.
  func regions(of control: DriverControl) -> ControlRegion.Bounds? {
    guard case .array(let coding, let capacity) = control.coding,
      let smallest = try? payload(of: control, capacity: capacity, Which.lowest),
      let largest = try? payload(of: control, capacity: capacity, Which.highest),
      let smallest = ControlRegion(coding.decode(smallest)),
      let largest = ControlRegion(coding.decode(largest))
    else { return nil }
    return ControlRegion.Bounds(smallest: smallest, largest: largest)
  }

  func read(_ control: DriverControl) throws(SystemError) -> ControlValue {
    switch control.coding {
    case .number(let isWide, let isSigned):
      let number = try exchange(.get, control, number: 0, isWide: isWide)
      if control.description.kind == .boolean { return .boolean(number != 0) }
      return .integer(isSigned ? number : number & 0xffff_ffff)
    case .text(let capacity):
      let bytes = try payload(of: control, capacity: capacity)
      return .string(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    case .array(let coding, let capacity):
      return .array(coding.decode(try payload(of: control, capacity: capacity)))
    case .structure(let byteCount):
      return .bytes(Array(try payload(of: control, capacity: byteCount)))
    }
  }

  /// - Parameter value: Already checked against the control's description.
  func write(_ value: ControlValue, to control: DriverControl) throws(SystemError) {
    switch (value, control.coding) {
    case (.string(let text), .text(let capacity)):
      var bytes = Array(text.utf8)
      bytes += Array(repeating: 0, count: max(0, capacity - bytes.count))
      _ = try exchange(.set, control, payload: &bytes)
    case (.array(let elements), .array(let coding, _)):
      var bytes = coding.encode(elements)
      _ = try exchange(.set, control, payload: &bytes)
    case (.bytes(var bytes), _):
      _ = try exchange(.set, control, payload: &bytes)
    case (.integer(let number), .number(let isWide, _)):
      _ = try exchange(.set, control, number: number, isWide: isWide)
    case (.boolean(let isOn), _):
      _ = try exchange(.set, control, number: isOn ? 1 : 0, isWide: false)
    default:
      // A button is pushed by any value.
      _ = try exchange(.set, control, number: 1, isWide: false)
    }
  }

  private func payload(
    of control: DriverControl,
    capacity: Int,
    _ which: UInt32 = Which.present
  ) throws(SystemError) -> ArraySlice<UInt8> {
    var bytes = [UInt8](repeating: 0, count: capacity)
    let count = try exchange(.get, control, payload: &bytes, which)
    return bytes.prefix(count)
  }

  /// - Returns: The size of the payload that the driver used, in bytes.
  private func exchange(
    _ direction: Direction,
    _ control: DriverControl,
    payload: inout [UInt8],
    _ which: UInt32 = Which.present
  ) throws(SystemError) -> Int {
    var value = unsafe v4l2_ext_control()
    unsafe value.id = control.identifier
    unsafe value.size = UInt32(payload.count)
    var span = payload.mutableSpan
    try unsafe span.withUnsafeMutableBytes { (bytes) throws(SystemError) in
      unsafe value.ptr = bytes.baseAddress
      try unsafe exchange(direction, &value, which)
    }
    return unsafe min(Int(value.size), payload.count)
  }

  /// - Returns: The driver's current value.
  private func exchange(
    _ direction: Direction,
    _ control: DriverControl,
    number: Int64,
    isWide: Bool
  ) throws(SystemError) -> Int64 {
    var value = unsafe v4l2_ext_control()
    unsafe value.id = control.identifier
    if isWide {
      unsafe value.value64 = number
    } else {
      unsafe value.value = Int32(truncatingIfNeeded: number)
    }
    try unsafe exchange(direction, &value)
    return unsafe isWide ? value.value64 : Int64(value.value)
  }

  private func exchange(
    _ direction: Direction,
    _ value: inout v4l2_ext_control,
    _ which: UInt32 = Which.present
  ) throws(SystemError) {
    try unsafe withUnsafeMutablePointer(to: &value) { (value) throws(SystemError) in
      var list = unsafe v4l2_ext_controls()
      unsafe list.which = which
      unsafe list.count = 1
      unsafe list.controls = value
      try unsafe node.perform(
        direction == .get ? .getControls : .setControls,
        &list
      )
    }
  }
}
