package import EventLoop

/// A camera backend: what a driver, a simulation or a file offers to a session.
///
/// Two threads touch a device, and never the same part of it. The *session's thread* makes the calls that may
/// block (opening, formats, controls, stream on and off), one at a time. The *frame loop* runs between `attach`
/// and `detach`, waits on the device's descriptor or a timer, and delivers frames; it never blocks.
/// The order is `open`, `configure`, `startStreaming`, `attach`, …, `detach`, `stopStreaming`, `close`.
package protocol CameraDevice: AnyObject, Sendable {
  /// Who it is; before `open` as far as the specification tells.
  var identification: DeviceDescription { get }

  // On the session's thread.
  func open() throws(CaptureError)
  func close()
  /// All it can deliver, in the driver's order.
  func formats() throws(CaptureError) -> [CameraFormat]
  /// Sets what is asked, or throws and names what would do; what the request leaves open the device chooses.
  func configure(_ request: FormatRequest) throws(CaptureError) -> StreamFormat
  func startStreaming() throws(CaptureError)
  func stopStreaming()
  func controls() throws(CaptureError) -> [ControlDescription]
  /// One control as it is now.
  /// - Throws: `noSuchControl`, naming what was probably meant.
  func control(_ id: ControlID) throws(CaptureError) -> ControlDescription
  func value(of control: ControlID) throws(CaptureError) -> ControlValue
  /// Sets a control and returns the value that took effect.
  func setValue(_ value: ControlValue, of control: ControlID) throws(CaptureError) -> ControlValue
  /// Has `onChange` called on the session's loop whenever something happens that may let a try succeed that failed: the
  /// device was plugged in, another program let go of it. Until `stopAwaitingReturn`.
  func awaitReturn(on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void)
  func stopAwaitingReturn()

  // On the frame loop.
  /// Starts delivering to `receiver`, which the device holds until `detach`.
  func attach(to loop: EventLoop, receiver: any FrameReceiver & Sendable)
  /// Stops delivering: after this call returns the receiver hears nothing more.
  func detach()
}

extension CameraDevice {
  // For devices that cannot tell, or do not go away.
  package func awaitReturn(on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void) {}
  package func stopAwaitingReturn() {}
}
