import EventLoop
import Imaging
import OperatingSystem

@testable import Capture

/// A camera that follows its test's script for opening, formats and controls.
final class ScriptedDevice: CameraDevice {
  struct Script: Sendable {
    /// The error that opening throws.
    var openError: CaptureError?
    /// The formats that it has; it chooses the first by itself.
    var formats = [StreamFormat.scripted(640, 480)]
    var controls: [ControlID: Int64] = ["brightness": 128, "gain": 100]
    /// Returns the value that takes effect when one is set.
    var setControl: @Sendable (ControlID, Int64) throws(CaptureError) -> Int64 = { $1 }
    /// Called when streaming starts; may block.
    var start: @Sendable () throws(CaptureError) -> Void = {}
    /// Called first in each call that may wait for a driver, with its name; may block.
    var onCall: @Sendable (String) -> Void = { _ in }
    /// Called when a receiver is attached.
    var attach: @Sendable (ScriptedDevice) -> Void = { _ in }
  }

  private struct State: Sendable {
    var script: Script
    var requests: [FormatRequest] = []
    var receiver: (loop: EventLoop, receiver: any FrameReceiver & Sendable)?
    var onChange: (loop: EventLoop, body: @Sendable () -> Void)?
    var isHopeful = false

    mutating func tell() {
      guard let (loop, body) = onChange, isHopeful else { return }
      isHopeful = false
      loop.perform(body)
    }
  }

  let identification: DeviceDescription
  private let state: Mutex<State>

  init(_ script: Script = Script(), identity: String = "scripted") {
    identification = DeviceDescription(
      identity: identity, model: "Scripted", location: "/dev/video7", driver: "test")
    state = Mutex(State(script: script))
  }

  var script: Script {
    get { state.withLock { $0.script } }
    set { state.withLock { $0.script = newValue } }
  }

  /// All formats that were requested.
  var requests: [FormatRequest] { state.withLock { $0.requests } }

  /// Ends the stream.
  func fail(_ error: CaptureError) {
    guard let (loop, receiver) = state.withLock({ $0.receiver }) else { return }
    loop.perform { receiver.failed(error) }
  }

  /// Delivers a frame.
  func deliver() {
    guard let (loop, receiver) = state.withLock({ $0.receiver }) else { return }
    loop.perform {
      guard let draft = receiver.draft(byteCount: 1) else { return }
      let now = MonotonicTime.now
      let metadata = FrameMetadata(
        sequence: 1, timestamp: now, marks: .dequeue,
        exposure: ExposureBounds(earliestStart: now, latestEnd: now), dequeued: now, copied: now,
        wallClock: .now())
      let layout = ImageLayout.compressed(.mjpeg, size: ImageSize(width: 16, height: 16))
      receiver.receive(draft.seal(layout: layout, metadata: metadata, byteCount: 1))
    }
  }

  /// Reports a change of the device to the session, now or as soon as the session listens.
  func giveHope() {
    state.withLock { state in
      state.isHopeful = true
      state.tell()
    }
  }

  // MARK: CameraDevice

  func open() throws(CaptureError) {
    script.onCall("open")
    if let error = script.openError { throw error }
  }

  func close() { script.onCall("close") }

  func formats() throws(CaptureError) -> [CameraFormat] {
    script.onCall("formats")
    return []
  }

  func check(_ request: FormatRequest) throws(CaptureError) {
    _ = try format(for: request)
  }

  func configure(_ request: FormatRequest) throws(CaptureError) -> StreamFormat {
    script.onCall("configure")
    state.withLock { $0.requests.append(request) }
    return try format(for: request)
  }

  private func format(for request: FormatRequest) throws(CaptureError) -> StreamFormat {
    let match = script.formats.first { format in
      (request.pixelFormat ?? format.devicePixelFormat) == format.devicePixelFormat
        && (request.size ?? format.layout.size) == format.layout.size
    }
    guard let match else { throw CaptureError(.unsupportedFormat, "no such format") }
    return match
  }

  func startStreaming() throws(CaptureError) {
    script.onCall("start")
    try script.start()
  }

  func stopStreaming() { script.onCall("stop") }

  func requestKeyPicture() { script.onCall("key picture") }

  func controls() throws(CaptureError) -> [ControlDescription] {
    script.onCall("controls")
    return try script.controls.keys.map { (id) throws(CaptureError) in try control(id) }
  }

  func control(_ id: ControlID) throws(CaptureError) -> ControlDescription {
    guard script.controls[id] != nil else { throw .noSuchControl(id, among: script.controls.keys) }
    return ControlDescription(id: id, name: id.rawValue, kind: .integer, maximum: 255)
  }

  func value(of control: ControlID) throws(CaptureError) -> ControlValue {
    script.onCall("value")
    return .integer(script.controls[control] ?? 0)
  }

  func setValue(
    _ value: ControlValue, of control: ControlID
  ) throws(CaptureError) -> ControlValue {
    script.onCall("set")
    guard case .integer(let number) = value else { return value }
    let new = try script.setControl(control, number)
    state.withLock { $0.script.controls[control] = new }
    return .integer(new)
  }

  func awaitReturn(on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.onChange = (loop, onChange)
      state.tell()
    }
  }

  func stopAwaitingReturn() {
    state.withLock { $0.onChange = nil }
  }

  func attach(to loop: EventLoop, receiver: any FrameReceiver & Sendable) {
    state.withLock { $0.receiver = (loop, receiver) }
    script.attach(self)
  }

  func detach() {
    state.withLock { $0.receiver = nil }
  }
}

extension ControlID: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) {
    self.init(rawValue: text)
  }
}

extension StreamFormat {
  static func scripted(_ width: Int, _ height: Int) -> StreamFormat {
    StreamFormat(
      layout: .compressed(.mjpeg, size: ImageSize(width: width, height: height)),
      maximumByteCount: width * height, frameRate: FrameRate(30), devicePixelFormat: .mjpeg)
  }
}
