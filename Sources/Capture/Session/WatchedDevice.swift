import EventLoop

/// A session's device. Each of its calls that may wait for a driver is watched.
final class WatchedDevice: CameraDevice {
  let base: any CameraDevice
  private let watch: CallWatch

  init(_ base: any CameraDevice, _ watch: CallWatch) {
    (self.base, self.watch) = (base, watch)
  }

  var identification: DeviceDescription { base.identification }
  var saysFacts: Bool { base.saysFacts }
  var saysDeviceTime: Bool { base.saysDeviceTime }
  var remarks: [String] { base.remarks }

  func open() throws(CaptureError) {
    try ask("open \(identification.location)") { () throws(CaptureError) in try base.open() }
  }

  func close() { tell("close") { base.close() } }

  func formats() throws(CaptureError) -> [CameraFormat] {
    try ask("list its formats") { () throws(CaptureError) in try base.formats() }
  }

  func otherFormats() throws(CaptureError) -> [CameraFormat] {
    try ask("list its formats") { () throws(CaptureError) in try base.otherFormats() }
  }

  func check(_ request: FormatRequest) throws(CaptureError) {
    try ask("list its formats") { () throws(CaptureError) in try base.check(request) }
  }

  func configure(_ request: FormatRequest) throws(CaptureError) -> StreamFormat {
    try ask("set \(request.summary)") { () throws(CaptureError) in try base.configure(request) }
  }

  func startStreaming() throws(CaptureError) {
    try ask("start streaming") { () throws(CaptureError) in try base.startStreaming() }
  }

  func stopStreaming() { tell("stop the stream") { base.stopStreaming() } }

  func controls() throws(CaptureError) -> [ControlDescription] {
    try ask("list its controls") { () throws(CaptureError) in try base.controls() }
  }

  func control(_ id: ControlID) throws(CaptureError) -> ControlDescription {
    try ask("describe \(id)") { () throws(CaptureError) in try base.control(id) }
  }

  func value(of control: ControlID) throws(CaptureError) -> ControlValue {
    try ask("say \(control)") { () throws(CaptureError) in try base.value(of: control) }
  }

  func setValue(_ value: ControlValue, of control: ControlID) throws(CaptureError) -> ControlValue {
    try ask("set \(control)") { () throws(CaptureError) in
      try base.setValue(value, of: control)
    }
  }

  func requestKeyPicture() { tell("ask for a key picture") { base.requestKeyPicture() } }

  func awaitReturn(on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void) {
    base.awaitReturn(on: loop, onChange)
  }

  func stopAwaitingReturn() { base.stopAwaitingReturn() }

  func attach(to loop: EventLoop, receiver: any FrameReceiver & Sendable) {
    base.attach(to: loop, receiver: receiver)
  }

  func detach() { base.detach() }

  private func ask<R>(
    _ words: String, _ body: () throws(CaptureError) -> R
  ) throws(CaptureError) -> R {
    try watch.begin(words)
    defer { watch.end() }
    return try body()
  }

  private func tell(_ words: String, _ body: () -> Void) {
    guard (try? watch.begin(words)) != nil else { return }
    defer { watch.end() }
    body()
  }
}
