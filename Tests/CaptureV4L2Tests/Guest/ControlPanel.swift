import Capture

@testable import CaptureV4L2

/// Another program that has the camera open and sets its controls.
struct ControlPanel {
  let device: V4L2Device

  init(_ specification: String) throws {
    device = V4L2Device(specification)
    try device.open()
  }

  func set(_ name: String, _ value: ControlValue) throws {
    _ = try device.setValue(value, of: ControlID(rawValue: name))
  }

  func press(_ name: String) throws {
    try set(name, .boolean(true))
  }

  func value(_ name: String) throws -> ControlValue {
    try device.value(of: ControlID(rawValue: name))
  }

  func control(_ name: String) throws -> ControlDescription? {
    try device.controls().first { $0.id.rawValue == name }
  }
}
