package import EventLoop

/// A camera backend: a driver, a simulation or files, as a session uses it.
///
/// Two threads use a device, each its own part of it. The *session's thread* makes the calls that
/// may block (opening, formats, controls, stream on and off), one at a time. Between `attach` and
/// `detach` the *frame loop* delivers frames; it serves all cameras, so it never blocks, and makes
/// no call into a driver. The order is `open`, `configure`, `startStreaming`, `attach`, …,
/// `detach`, `stopStreaming`, `close`.
package protocol CameraDevice: AnyObject, Sendable {
  /// Identity and model; before `open`, as far as the specification says.
  var identification: DeviceDescription { get }
  /// Whether it says with each frame how it took it, so that the facts are true of that frame.
  var saysFacts: Bool { get }

  // Called on the session's thread.

  /// Whether the camera's own clock is read while it streams.
  var saysDeviceTime: Bool { get }
  func open() throws(CaptureError)
  /// What the opening has found that people should know: sentences for the log.
  var remarks: [String] { get }
  func close()
  /// All formats that it can deliver, in the driver's order.
  func formats() throws(CaptureError) -> [CameraFormat]
  /// The formats that it has but cannot deliver, each with its problem. Only people look at them.
  func otherFormats() throws(CaptureError) -> [CameraFormat]
  /// Checks that it has a format for the request. It may stream meanwhile, and nothing changes.
  /// - Throws: `unsupportedFormat`, naming formats that it has.
  func check(_ request: FormatRequest) throws(CaptureError)
  /// Sets the format; the device chooses what the request leaves open.
  /// - Throws: `unsupportedFormat`, naming formats that it has.
  func configure(_ request: FormatRequest) throws(CaptureError) -> StreamFormat
  func startStreaming() throws(CaptureError)
  func stopStreaming()
  func controls() throws(CaptureError) -> [ControlDescription]
  /// The present description of a control.
  /// - Throws: `noSuchControl`, naming the control that was probably meant.
  func control(_ id: ControlID) throws(CaptureError) -> ControlDescription
  func value(of control: ControlID) throws(CaptureError) -> ControlValue
  /// Sets a control and returns the value that took effect.
  func setValue(_ value: ControlValue, of control: ControlID) throws(CaptureError) -> ControlValue
  /// Asks the camera for a picture of its video that needs no other, if it can be asked.
  func requestKeyPicture()
  /// Calls `onChange` on the session's loop whenever the next attempt to start may succeed, because
  /// the device was plugged in or another program released it. Ends with `stopAwaitingReturn`.
  func awaitReturn(on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void)
  func stopAwaitingReturn()

  // Called on the frame loop.

  /// Starts delivering to `receiver`, which the device retains until `detach`.
  func attach(to loop: EventLoop, receiver: any FrameReceiver & Sendable)
  /// Stops delivering: the receiver is not called after this call has returned.
  func detach()
}

extension CameraDevice {
  package var saysFacts: Bool { false }
  package var saysDeviceTime: Bool { false }
  package var remarks: [String] { [] }
  package func otherFormats() throws(CaptureError) -> [CameraFormat] { [] }
  package func requestKeyPicture() {}
  // For devices that cannot know, or that never go away.
  package func awaitReturn(on loop: EventLoop, _ onChange: @escaping @Sendable () -> Void) {}
  package func stopAwaitingReturn() {}
}
