import Capture
import CaptureSynthetic
import EventLoop
import OperatingSystem

/// A machine whose cameras tests plug in and unplug.
final class TestMachine: DeviceFinder {
  private struct State {
    var devices: [String: TestDevice] = [:]
    var present: [String] = []
    var watches: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  private let onCall: @Sendable (_ call: String, _ identity: String) -> Void

  /// - Parameter onCall: Called first when a camera is opened or closed, or a control of it is set;
  ///   may block.
  init(
    _ identities: [String],
    onCall: @escaping @Sendable (_ call: String, _ identity: String) -> Void = { _, _ in }
  ) throws {
    self.onCall = onCall
    for identity in identities { try plug(identity) }
  }

  /// Plugs a camera in, or in again.
  func plug(_ identity: String) throws {
    let device = try state.withLock { state in
      let device =
        try state.devices[identity]
        ?? TestDevice(identity) { [onCall] in onCall($0, identity) }
      state.devices[identity] = device
      state.present.append(identity)
      return device
    }
    try device.set("disconnect", to: .boolean(false))
    tell()
  }

  func unplug(_ identity: String) throws {
    let device = state.withLock { state in
      state.present.removeAll { $0 == identity }
      return state.devices[identity]
    }
    try device?.set("disconnect", to: .boolean(true))
    tell()
  }

  /// Sets a control of a camera as another program would.
  func set(_ control: String, of identity: String, to value: ControlValue) throws {
    try state.withLock { $0.devices[identity] }?.set(control, to: value)
  }

  private func tell() {
    for onChange in state.withLock({ $0.watches }) { onChange() }
  }

  // MARK: DeviceFinder

  func look() -> [FoundDevice] {
    state.withLock { state in
      state.present.compactMap { state.devices[$0] }.map { FoundDevice($0.identification) }
    }
  }

  func survey() -> [FoundDevice] { look() }

  func hurry() {}

  func device(_ identity: String) -> any CameraDevice {
    guard let device = state.withLock({ $0.devices[identity] }) else {
      preconditionFailure("the node asked for \(identity), which was never plugged in")
    }
    return device
  }

  func watch(
    on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void
  ) throws(SystemError) -> @Sendable () -> Void {
    state.withLock { $0.watches.append { loop.perform(onChange) } }
    return { [self] in state.withLock { $0.watches = [] } }
  }
}

/// A synthetic camera that passes for one of the machine.
private final class TestDevice: CameraDevice {
  let identification: DeviceDescription
  private let camera: SyntheticDevice
  private let onCall: @Sendable (_ call: String) -> Void

  init(_ identity: String, onCall: @escaping @Sendable (_ call: String) -> Void) throws {
    self.onCall = onCall
    camera = SyntheticDevice(try SyntheticSpecification.parse("160x120@60,format=YUYV"))
    identification = DeviceDescription(
      identity: identity, model: "Model of \(identity)", location: "/dev/\(identity)",
      driver: "test")
  }

  func set(_ control: String, to value: ControlValue) throws {
    _ = try camera.setValue(value, of: ControlID(rawValue: control))
  }

  func open() throws(CaptureError) {
    onCall("open")
    try camera.open()
  }
  func close() {
    onCall("close")
    camera.close()
  }
  func formats() throws(CaptureError) -> [CameraFormat] { try camera.formats() }
  func check(_ request: FormatRequest) throws(CaptureError) { try camera.check(request) }
  func configure(_ request: FormatRequest) throws(CaptureError) -> StreamFormat {
    try camera.configure(request)
  }
  func startStreaming() throws(CaptureError) { try camera.startStreaming() }
  func stopStreaming() { camera.stopStreaming() }
  func controls() throws(CaptureError) -> [ControlDescription] { try camera.controls() }
  func control(_ id: ControlID) throws(CaptureError) -> ControlDescription {
    try camera.control(id)
  }
  func value(of control: ControlID) throws(CaptureError) -> ControlValue {
    try camera.value(of: control)
  }
  func setValue(
    _ value: ControlValue, of control: ControlID
  ) throws(CaptureError) -> ControlValue {
    onCall("set")
    return try camera.setValue(value, of: control)
  }
  func awaitReturn(on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void) {
    camera.awaitReturn(on: loop, onChange)
  }
  func stopAwaitingReturn() { camera.stopAwaitingReturn() }
  func attach(to loop: EventLoop, receiver: any FrameReceiver & Sendable) {
    camera.attach(to: loop, receiver: receiver)
  }
  func detach() { camera.detach() }
}
