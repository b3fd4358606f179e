import EventLoop
import Imaging
import OperatingSystem

/// The device in force and its stream of frames. Confined to the session's thread.
final class DeviceInput {
  private(set) var device: WatchedDevice {
    didSet { callWatch.use(device.base) }
  }
  /// Set while the device streams to the pipeline.
  private(set) var format: StreamFormat?
  /// Whether the camera is idle, or starts again from there. Photos wait for its frames meanwhile.
  private(set) var isAwaited = false
  /// Counts streams, so that a late signal of an earlier stream is ignored.
  private(set) var stream = 0
  /// When the device's next stream begins, if somebody wants it at a moment.
  var start: MonotonicTime?
  /// How long after that the device was ready; nil if it was in time.
  private(set) var late: Duration?
  /// What the devices before it had.
  var left = SessionInputs()
  private let own: any CameraDevice
  private let pipeline: FramePipeline
  private let callWatch: CallWatch
  /// The device whose black level is known, and that level.
  private var black: (device: DeviceDescription, level: BlackLevel)?
  private var isAwaitingReturn = false

  init(_ own: any CameraDevice, pipeline: FramePipeline, callWatch: CallWatch) {
    (self.own, self.pipeline, self.callWatch) = (own, pipeline, callWatch)
    device = WatchedDevice(own, callWatch)
    callWatch.use(own)
  }

  /// Whether no other device is in force.
  var isOwn: Bool { device.base === own }

  func use(_ device: WatchedDevice) { self.device = device }

  /// Takes the black level of the device's sensor, from the next stream on.
  func take(_ black: BlackLevel?) {
    self.black = black.map { (device.identification, $0) }
  }

  /// Gives the device a format.
  func configure(_ request: FormatRequest) throws(CaptureError) -> StreamFormat {
    var format = try device.configure(request)
    let present = device.identification
    if let black,
      black.device.identity == present.identity || black.device.isSameDevice(as: present),
      format.layout.pixelFormat.bayerPattern != nil
    {
      format.layout.black = black.level
    }
    return format
  }

  /// Calls the device, which is opened for the call if it does not stream.
  func withOpen<R>(
    _ body: (any CameraDevice) throws(CaptureError) -> R
  ) throws(CaptureError) -> R {
    if format != nil { return try body(device) }
    do throws(CaptureError) {
      try device.open()
    } catch {
      // A simulated camera has its controls even while it is unplugged, because one of them plugs
      // it in again.
      guard let result = try? body(device) else { throw error }
      return result
    }
    defer { device.close() }
    return try body(device)
  }

  // MARK: The stream

  /// Starts the device's stream, at the moment that is wanted if there is one.
  func startStreaming() throws(CaptureError) {
    late = start.flatMap { .now > $0 ? .now - $0 : nil }
    if let start { SystemThread.sleep(until: start) }
    start = nil
    try device.startStreaming()
  }

  /// Starts the delivery of frames from the device, which streams.
  /// - Parameters:
  ///   - exposure: The exposure time that it has, seconds.
  ///   - tries: How often it was started in vain before.
  ///   - signal: Called on the frame loop with the number of the stream.
  func attach(
    _ format: StreamFormat, exposure: ControlValue?, tries: Int,
    signal: @escaping @Sendable (FramePipeline.Signal, Int) -> Void
  ) {
    self.format = format
    isAwaited = false
    stream += 1
    let (device, pipeline, stream) = (device, pipeline, stream)
    let exposure = exposure.flatMap(Self.duration)
    pipeline.loop.performAndWait {
      pipeline.begin(format, exposure: exposure, tries: tries) { signal($0, stream) }
      device.attach(to: pipeline.loop, receiver: pipeline)
    }
  }

  /// Judges the camera's silence by its new exposure time.
  func expectExposure(_ state: ControlState) {
    guard state.control.id == .exposureDuration, format != nil else { return }
    let (pipeline, exposure) = (pipeline, state.value.flatMap(Self.duration))
    pipeline.loop.perform { pipeline.expect(exposure: exposure) }
  }

  private static func duration(_ value: ControlValue) -> Duration? {
    guard case .number(let seconds) = value, seconds.isFinite else { return nil }
    return .seconds(min(max(0, seconds), 3600))
  }

  /// The running stream's pictures are turned in another way.
  func follow(_ orientation: Orientation) { format?.layout.orientation = orientation }

  /// The camera is closed until somebody uses it.
  func becomeIdle() { isAwaited = true }

  /// Ends the delivery of frames. The device streams on until `close`, because stopping it may take
  /// long.
  /// - Parameter error: Why photos fail that wait for a frame; nil if they wait on.
  /// - Returns: False if it did not stream.
  func detach(_ error: CaptureError?) -> Bool {
    let wasStreaming = format != nil
    isAwaited = error == nil
    format = nil
    stream += 1
    let (device, pipeline) = (device, pipeline)
    pipeline.loop.performAndWait {
      if wasStreaming { device.detach() }
      pipeline.end(error)
    }
    return wasStreaming
  }

  func close() {
    device.stopStreaming()
    device.close()
  }

  /// - Parameter onChange: Called on the loop when another attempt may succeed.
  func awaitReturn(on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void) {
    guard !isAwaitingReturn else { return }
    isAwaitingReturn = true
    device.awaitReturn(on: loop, onChange)
  }

  func stopAwaitingReturn() {
    guard isAwaitingReturn else { return }
    isAwaitingReturn = false
    device.stopAwaitingReturn()
  }
}
