import Capture
import Glibc
import OperatingSystem

extension OpenCamera {
  /// Asks for a picture of the camera's video that needs no other, if the driver can.
  func requestKeyPicture() { controlCatalog.requestKeyPicture() }

  func controls() throws(CaptureError) -> [ControlDescription] {
    try onDevice(at: node.path) { () throws(SystemError) in try controlCatalog.controls() }
  }

  func control(_ name: ControlID) throws(CaptureError) -> ControlDescription {
    try controlCatalog.control(named: name).description
  }

  func value(of name: ControlID) throws(CaptureError) -> ControlValue {
    let control = try controlCatalog.control(named: name)
    guard !control.description.flags.contains(.writeOnly) else {
      throw CaptureError(
        .invalidArgument,
        "\(name) has no value: it can only be set",
        part: .control(name)
      )
    }
    let transfer = controlCatalog.transfer(of: control)
    let value = try onDevice(at: transfer.node.path) { () throws(SystemError) in
      try transfer.read(control)
    }
    // The session reads a control after each change that the driver reports.
    if facts.depend(on: name) { facts.read() }
    return value
  }

  /// Sets the control and returns the value that the driver then has.
  func setValue(
    _ value: ControlValue,
    of name: ControlID
  ) throws(CaptureError) -> ControlValue {
    let control = try controlCatalog.control(named: name)
    let checked = try control.description.checked(value)
    let isFact = facts.depend(on: name)
    if isFact { facts.invalidate() }
    defer { if isFact { facts.read() } }
    let transfer = controlCatalog.transfer(of: control)
    do throws(SystemError) {
      try transfer.write(checked, to: control)
      return control.description.flags.contains(.writeOnly) ? checked : try transfer.read(control)
    } catch {
      throw CaptureError(settingFailed: error, control: name, path: transfer.node.path)
    }
  }
}

extension CaptureError {
  /// The driver refused a value that its own description allows.
  fileprivate init(settingFailed error: SystemError, control: ControlID, path: String) {
    switch error.errno {
    case EACCES, EPERM:
      self.init(
        .controlNotWritable,
        "\(control) cannot be set: the driver allows no writing",
        part: .control(control)
      )
    case EBUSY:
      self.init(
        .controlNotWritable,
        "\(control) cannot be changed now: stop the stream first",
        part: .control(control)
      )
    case EINVAL, ERANGE, EILSEQ:
      self.init(
        .invalidControlValue,
        "the driver refused the value of \(control): list the controls to "
          + "see what it takes",
        part: .control(control)
      )
    default:
      self.init(error, on: path)
    }
  }
}
