import CVideo4Linux
import Glibc
import OperatingSystem

@testable import CaptureV4L2

/// A driver with some controls.
final class SimulatedNode: RequestNode {
  struct Control: Sendable {
    var identifier: UInt32
    var name: String
    var type: v4l2_ctrl_type
    var range: ClosedRange<Int64>
    var items: [String] = []
    var value: Int64

    static func integer(
      _ identifier: UInt32, _ name: String, _ range: ClosedRange<Int64>, value: Int64
    ) -> Control {
      Control(
        identifier: identifier, name: name, type: V4L2_CTRL_TYPE_INTEGER, range: range, value: value
      )
    }

    static func menu(
      _ identifier: UInt32, _ name: String, _ items: [String], value: Int64
    ) -> Control {
      Control(
        identifier: identifier, name: name, type: V4L2_CTRL_TYPE_MENU,
        range: 0...Int64(items.count - 1), items: items, value: value)
    }

    static func button(_ identifier: UInt32, _ name: String) -> Control {
      Control(
        identifier: identifier, name: name, type: V4L2_CTRL_TYPE_BUTTON, range: 0...0, value: 0)
    }
  }

  let path: String
  private let controls: Mutex<[Control]>
  private let gone = Mutex(false)
  private let broken = Mutex<UInt32?>(nil)

  init(_ path: String, _ controls: [Control]) {
    self.path = path
    self.controls = Mutex(controls)
  }

  var isGone: Bool {
    get { gone.withLock { $0 } }
    set { gone.withLock { $0 = newValue } }
  }

  /// The control that the driver does not describe.
  var undescribed: UInt32? {
    get { broken.withLock { $0 } }
    set { broken.withLock { $0 = newValue } }
  }

  var values: [UInt32: Int64] {
    controls.withLock { controls in
      Dictionary(uniqueKeysWithValues: controls.map { ($0.identifier, $0.value) })
    }
  }

  func perform<Argument>(
    _ request: Request<Argument>, _ argument: inout Argument
  ) throws(SystemError) {
    guard !isGone else { throw SystemError(errno: ENODEV, operation: request.name) }
    if let question = argument as? v4l2_query_ext_ctrl, question.id == undescribed {
      throw SystemError(errno: EIO, operation: request.name)
    }
    let isDone =
      switch request.name {
      case "VIDIOC_QUERY_EXT_CTRL": change(&argument, query)
      case "VIDIOC_QUERYMENU": change(&argument, menu)
      case "VIDIOC_G_EXT_CTRLS": unsafe change(&argument) { unsafe exchange($0, isSet: false) }
      case "VIDIOC_S_EXT_CTRLS": unsafe change(&argument) { unsafe exchange($0, isSet: true) }
      default: false
      }
    guard isDone else { throw SystemError(errno: EINVAL, operation: request.name) }
  }

  /// - Parameter answer: Returns the driver's answer; nil if it refuses.
  private func change<Argument, Value>(
    _ argument: inout Argument, _ answer: (Value) -> Value?
  ) -> Bool {
    guard let value = argument as? Value, let new = answer(value) as? Argument else { return false }
    argument = new
    return true
  }

  private func query(_ question: v4l2_query_ext_ctrl) -> v4l2_query_ext_ctrl? {
    let next = V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND.bits
    let identifier = question.id & ~next
    let control = controls.withLock { controls in
      controls.first {
        question.id & next == 0 ? $0.identifier == identifier : $0.identifier > identifier
      }
    }
    guard let control else { return nil }
    var answer = v4l2_query_ext_ctrl()
    (answer.id, answer.type) = (control.identifier, control.type.rawValue)
    (answer.minimum, answer.maximum) = (control.range.lowerBound, control.range.upperBound)
    (answer.step, answer.elem_size, answer.elems) = (1, 4, 1)
    Self.write(control.name, to: &answer.name)
    return answer
  }

  private func menu(_ question: v4l2_querymenu) -> v4l2_querymenu? {
    let control = controls.withLock { $0.first { $0.identifier == question.id } }
    guard let control, control.items.indices.contains(Int(question.index)) else { return nil }
    var answer = question
    Self.write(control.items[Int(question.index)], to: &answer.name)
    return answer
  }

  @unsafe private func exchange(_ list: v4l2_ext_controls, isSet: Bool) -> v4l2_ext_controls? {
    guard let wanted = unsafe list.controls else { return nil }
    let (identifier, value) = unsafe (wanted[0].id, Int64(wanted[0].value))
    let present: Int64? = controls.withLock { controls in
      guard let index = controls.firstIndex(where: { $0.identifier == identifier }) else {
        return nil
      }
      if isSet { controls[index].value = value }
      return controls[index].value
    }
    guard let present else { return nil }
    unsafe wanted[0].value = Int32(present)
    return unsafe list
  }

  private static func write<Characters>(_ text: String, to characters: inout Characters) {
    unsafe withUnsafeMutableBytes(of: &characters) { bytes in
      unsafe bytes.copyBytes(from: text.utf8)
    }
  }
}
