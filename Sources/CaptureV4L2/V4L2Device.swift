package import Capture
package import EventLoop
import Imaging
import OperatingSystem

/// A camera behind Linux's V4L2: any device whose node can capture and stream, also in the
/// multi-planar way.
///
/// It may be opened again after a close or an unplugging. Each time its specification is resolved
/// once, and the device stays open from then on, whatever its links do. A camera named by its
/// identity is found at any port that it can have been moved to.
// @unchecked: `description` has a lock. The session's thread owns the rest, except for `reader`
// from `attach` to `detach`, which the frame loop uses. The session orders these calls.
package final class V4L2Device: CameraDevice, @unchecked Sendable {
  private let specification: String
  private let flash: String?
  private let description: Mutex<DeviceDescription>
  private let habits = PictureHabits()
  private let discovery: V4L2Discovery
  /// The device that was open last.
  private var last: V4L2Discovery.Predecessor?
  private var camera: OpenCamera?
  private var nodeWatch: NodeWatch?
  private var reader: BufferQueueReader?

  /// - Parameters:
  ///   - specification: A path as "/dev/video0", a node's name as "video0", or an identity from
  ///     `V4L2Discovery`.
  ///   - flash: The path of the node of its flash, if that has one of its own.
  ///   - library: Converts what cannot be encoded directly; nil to deliver no such pictures.
  package convenience init(
    _ specification: String, flash: String? = nil, converting library: ConversionLibrary? = nil
  ) {
    self.init(specification, flash: flash, in: V4L2Discovery(converting: library))
  }

  init(_ specification: String, flash: String? = nil, in discovery: V4L2Discovery) {
    (self.specification, self.flash, self.discovery) = (specification, flash, discovery)
    var look = discovery
    look.mayWait = false
    let found = try? look.resolve(specification)
    description = Mutex(
      found?.description ?? look.description(of: found?.path ?? specification))
  }

  package var identification: DeviceDescription { description.withLock { $0 } }

  // MARK: The session's thread

  package func open() throws(CaptureError) {
    close()
    nodeWatch?.removeNode()
    do throws(CaptureError) {
      let (camera, description) = try find()
      self.description.withLock { $0 = description }
      self.camera = camera
    } catch {
      nodeWatch?.add(node: identification.location)
      throw error
    }
  }

  package func close() {
    stopStreaming()
    if camera != nil { last = predecessor(identification) }
    camera = nil
    nodeWatch?.add(node: identification.location)
  }

  /// How often a device may be replaced while it is opened.
  private static let tries = 3

  private func find() throws(CaptureError) -> (OpenCamera, DeviceDescription) {
    for _ in 0..<Self.tries {
      let found = try discovery.resolve(specification, after: last)
      let camera = try OpenCamera(path: found.path, flash: flash, habits: habits)
      let description = discovery.description(of: found.path, capability: camera.capability)
      // Another device may have got the node since.
      guard found.description.map({ $0.identity == description.identity }) != false else {
        continue
      }
      last = predecessor(description)
      return (camera, description)
    }
    throw CaptureError(
      .deviceNotFound, "\(specification) was exchanged while it was opened: start it again")
  }

  private func predecessor(_ description: DeviceDescription) -> V4L2Discovery.Predecessor {
    V4L2Discovery.Predecessor(
      description: description, others: discovery.names.present.subtracting([description.identity]))
  }

  package func requestKeyPicture() { camera?.requestKeyPicture() }

  package func awaitReturn(on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void) {
    nodeWatch = try? NodeWatch(folder: V4L2Discovery.deviceFolder, on: loop, onChange)
    nodeWatch?.add(node: identification.location)
  }

  package func stopAwaitingReturn() {
    nodeWatch?.cancel()
    nodeWatch = nil
  }

  package func formats() throws(CaptureError) -> [CameraFormat] {
    try opened().formats(including: FormatRequest()).offers
  }

  package func otherFormats() throws(CaptureError) -> [CameraFormat] {
    try opened().otherFormats()
  }

  package func check(_ request: FormatRequest) throws(CaptureError) {
    _ = try opened().choice(for: request)
  }

  package func configure(_ request: FormatRequest) throws(CaptureError) -> StreamFormat {
    try opened().configure(request)
  }

  package var saysDeviceTime: Bool { camera?.saysDeviceTime == true }

  package func startStreaming() throws(CaptureError) {
    reader = try opened().startStreaming(with: discovery.library)
  }

  package func stopStreaming() {
    reader = nil
    camera?.stopStreaming()
  }

  package func controls() throws(CaptureError) -> [ControlDescription] {
    try opened().controls()
  }

  package func control(_ id: ControlID) throws(CaptureError) -> ControlDescription {
    try opened().control(id)
  }

  package func value(of control: ControlID) throws(CaptureError) -> ControlValue {
    try opened().value(of: control)
  }

  package func setValue(
    _ value: ControlValue,
    of control: ControlID
  ) throws(CaptureError) -> ControlValue {
    try opened().setValue(value, of: control)
  }

  private func opened() throws(CaptureError) -> OpenCamera {
    guard let camera else {
      throw CaptureError(.notRunning, "\(specification) is not open: start its session first")
    }
    return camera
  }

  // MARK: The frame loop

  package func attach(to loop: EventLoop, receiver: any FrameReceiver & Sendable) {
    reader?.attach(to: loop, receiver: receiver)
  }

  package func detach() {
    reader?.detach()
  }
}
