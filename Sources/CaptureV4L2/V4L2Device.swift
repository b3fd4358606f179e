package import Capture
package import EventLoop
import Imaging
import OperatingSystem

/// A camera behind Linux's V4L2: any device whose node can capture and stream, also in the
/// multi-planar way.
///
/// It may be opened again after a close or an unplugging. Each time its specification is resolved
/// again, so a camera named by its identity is found at any port.
// @unchecked: `description` has a lock. The session's thread owns the rest, except for `reader`
// from `attach` to `detach`, which the frame loop uses. The session orders these calls.
package final class V4L2Device: CameraDevice, @unchecked Sendable {
  private let specification: String
  private let flash: String?
  private let description: Mutex<DeviceDescription>
  private let habits = PictureHabits()
  private var camera: OpenCamera?
  private var nodeWatch: NodeWatch?
  private var reader: BufferQueueReader?

  /// - Parameters:
  ///   - specification: A path as "/dev/video0", a node's name as "video0", or an identity from
  ///     `V4L2Discovery`.
  ///   - flash: The path of the node of its flash, if that has one of its own.
  package init(_ specification: String, flash: String? = nil) {
    (self.specification, self.flash) = (specification, flash)
    let path = try? V4L2Discovery().path(for: specification)
    description = Mutex(V4L2Discovery().description(of: path ?? specification))
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
    camera = nil
    nodeWatch?.add(node: identification.location)
  }

  private func find() throws(CaptureError) -> (OpenCamera, DeviceDescription) {
    let discovery = V4L2Discovery()
    let path = try discovery.path(for: specification, lastAt: identification.location)
    let camera = try OpenCamera(path: path, flash: flash, habits: habits)
    return (camera, discovery.description(of: path, capability: camera.capability))
  }

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
    reader = try opened().startStreaming()
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
