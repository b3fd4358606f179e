package import Capture
package import EventLoop
import Imaging
import OperatingSystem

/// A simulated camera for demonstrations, tests and simulated rigs.
///
/// It shows colour bars, a moving marker, and a strip that identifies the frame (``FrameStrip``).
/// It behaves like a driver: it has a ring of buffers, gaps in the numbering when nobody empties
/// the ring, working controls, and controls that inject the faults of real cameras.
package final class SyntheticDevice: CameraDevice {
  private struct State: Sendable {
    /// Whether the camera is open and was not unplugged since.
    var isOpen = false
    var format: StreamFormat?
    var stream: Stream?
    var reader: MailboxReader?
    var returnNotice: ReturnNotice?
  }

  private struct Stream: Sendable {
    var sensor: SyntheticSensor
    var mailbox: DriverMailbox
    var format: StreamFormat
  }

  package let specification: SyntheticSpecification
  package let identification: DeviceDescription
  private let panel: ControlPanel
  private let state = Mutex(State())

  package init(_ specification: SyntheticSpecification) {
    self.specification = specification
    panel = ControlPanel(specification.settling)
    let location = "synthetic:\(specification.text)"
    identification = DeviceDescription(
      identity: location,
      model: "Synthetic camera",
      location: location,
      driver: "synthetic",
      isSimulated: true
    )
  }

  /// The format request in the specification.
  package var request: FormatRequest {
    FormatRequest(
      pixelFormat: specification.pixelFormat,
      size: specification.size,
      framesPerSecond: specification.framesPerSecond
    )
  }

  package var saysFacts: Bool { specification.saysFacts }

  deinit {
    stopStreaming()
  }

  // MARK: On the session's thread

  package func open() throws(CaptureError) {
    try checkConnection()
    state.withLock { $0.isOpen = true }
  }

  package func close() {
    stopStreaming()
    state.withLock { state in
      state.isOpen = false
      state.format = nil
    }
  }

  package func formats() throws(CaptureError) -> [CameraFormat] {
    try checkConnection()
    return SyntheticFormats.all(specification)
  }

  package func check(_ request: FormatRequest) throws(CaptureError) {
    _ = try SyntheticFormats.resolve(request, specification)
  }

  package func configure(_ request: FormatRequest) throws(CaptureError) -> StreamFormat {
    try checkOpen()
    guard state.withLock({ $0.stream == nil }) else {
      throw CaptureError(
        .deviceBusy,
        "the synthetic camera is streaming: stop it before changing its format"
      )
    }
    let format = try SyntheticFormats.resolve(request, specification)
    state.withLock { $0.format = format }
    return format
  }

  package func startStreaming() throws(CaptureError) {
    try checkOpen()
    guard let format = state.withLock({ $0.stream == nil ? $0.format : nil }),
      let rate = format.frameRate
    else {
      throw CaptureError(
        .deviceFailed,
        "the synthetic camera has no format, or streams already: configure it first"
      )
    }
    try panel.withBank { (bank) throws(CaptureError) in try bank.checkStart() }
    let mailbox = DriverMailbox()
    let sensor = try SyntheticSensor(
      specification,
      format: format,
      rate: rate,
      panel: panel,
      mailbox: mailbox
    )
    state.withLock { $0.stream = Stream(sensor: sensor, mailbox: mailbox, format: format) }
    sensor.begin()
  }

  package func stopStreaming() {
    let stream = state.withLock { state in
      defer { state.stream = nil }
      return state.stream
    }
    stream?.sensor.end()
  }

  package func controls() throws(CaptureError) -> [ControlDescription] {
    try panel.withBank { bank in knownControls.map(bank.description(of:)) }
  }

  package func control(_ id: ControlID) throws(CaptureError) -> ControlDescription {
    let control = try known(id)
    return try panel.withBank { bank in bank.description(of: control) }
  }

  package func value(of id: ControlID) throws(CaptureError) -> ControlValue {
    let control = try known(id)
    return try panel.withBank { (bank) throws(CaptureError) in
      try bank.value(of: control, at: .now)
    }
  }

  package func setValue(
    _ value: ControlValue,
    of id: ControlID
  ) throws(CaptureError) -> ControlValue {
    let control = try known(id)
    let outcome = try panel.withBank { (bank) throws(CaptureError) in
      try bank.set(value, of: control, at: .now)
    }
    let mailbox = state.withLock { state in
      if outcome.effect == .disconnected { state.isOpen = false }
      return state.stream?.mailbox
    }
    mailbox?.post([control] + control.dependents)
    switch outcome.effect {
    case .none: break
    case .disconnected:
      mailbox?.post(ControlBank.disconnection)
      let moment = try panel.withBank { $0.reconnection(after: .now) }
      state.withLock { $0.returnNotice }?.expect(at: moment)
    case .failed: mailbox?.post(ControlBank.breakdown)
    case .returned: state.withLock { $0.returnNotice }?.tell()
    }
    return outcome.value
  }

  package func awaitReturn(on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void) {
    let notice = ReturnNotice(on: loop, onChange)
    let moment = try? panel.withBank { $0.reconnection(after: .now) }
    notice.expect(at: moment.flatMap(\.self))
    state.withLock { $0.returnNotice = notice }
  }

  package func stopAwaitingReturn() {
    let notice = state.withLock { state in
      defer { state.returnNotice = nil }
      return state.returnNotice
    }
    notice?.cancel()
  }

  // MARK: On the frame loop

  package func attach(to loop: EventLoop, receiver: any FrameReceiver & Sendable) {
    guard let stream = state.withLock({ $0.stream }) else {
      return receiver.failed(
        CaptureError(.notRunning, "the synthetic camera does not stream: start it first")
      )
    }
    let reader = MailboxReader(from: stream.mailbox, format: stream.format, to: receiver)
    state.withLock { $0.reader = reader }
    reader.start(on: loop)
  }

  package func detach() {
    let reader = state.withLock { state in
      defer { state.reader = nil }
      return state.reader
    }
    reader?.stop()
  }

  // MARK: Checks

  private func known(_ id: ControlID) throws(CaptureError) -> SyntheticControl {
    guard let control = knownControls.first(where: { $0.id == id }) else {
      throw .noSuchControl(id, among: knownControls.map(\.id))
    }
    return control
  }

  private var knownControls: [SyntheticControl] {
    SyntheticControl.allCases.filter { $0 != .zoom || specification.hasZoom }
  }

  private func checkConnection() throws(CaptureError) {
    try panel.withBank { (bank) throws(CaptureError) in try bank.checkConnection(at: .now) }
  }

  private func checkOpen() throws(CaptureError) {
    try checkConnection()
    guard state.withLock({ $0.isOpen }) else {
      throw CaptureError(
        .deviceNotFound,
        "the synthetic camera is not open, or was unplugged since it was opened: open it"
      )
    }
  }
}
