import CameraProtocol
import SwiftProtobuf

/// A camera after a change of its configuration.
public struct ConfiguredCamera: Sendable, Encodable {
  /// Its status.
  public var status: CameraStatus
  /// The controls that were set, with the values that took effect.
  public var controls: [Control]
  /// The first frame that they affect; nil if the node did not look, or the stream was started
  /// anew.
  public var effect: ControlEffect?

  package init(status: CameraStatus, controls: [Control] = [], effect: ControlEffect? = nil) {
    self.status = status
    self.controls = controls
    self.effect = effect
  }
}

extension Camera {
  /// Changes the camera's input, format, controls, rates and orientations: all of it, or nothing.
  ///
  /// A camera that runs goes on as before if anything fails. A stopped one takes the change for its
  /// next start. Orientations change without another start of the camera, and so do rates that its
  /// frames can be thinned out to.
  ///
  /// - Parameters:
  ///   - change: What changes.
  ///   - findsEffect: As in ``set(_:findsEffect:rampRate:)``.
  ///   - endsRecording: Whether the change may end the movie that the camera records.
  /// - Throws: `unsupportedFormat`, `noSuchControl`, `controlNotWritable`, `invalidArgument`;
  ///   `conflict` if the change would end a movie and may not, if another camera has the input, or
  ///   if another client holds the camera's lease; `interrupted` while the camera is, unless it
  ///   gets another input; and errors of devices.
  @discardableResult
  public func configure(
    _ change: ConfigurationChange, findsEffect: Bool? = nil, endsRecording: Bool = false
  ) async throws(CameraBusError) -> ConfiguredCamera {
    var body = try change.request()
    if let findsEffect { body.findEffect = findsEffect }
    body.endRecording = endsRecording
    let reply = try await configure(body)
    guard reply.controls.map(\.id) == change.controls.map(\.id) else { throw .unexpectedReply }
    return ConfiguredCamera(
      status: CameraStatus(reply.camera), controls: reply.controls.map(Control.init),
      effect: reply.hasEffect ? ControlEffect(reply.effect) : nil)
  }

  /// Forgets what clients have changed of the camera (``CameraStatus/remembered``). It stays as it
  /// is until its node starts again, which starts it as it is configured.
  /// - Throws: `unsupported` where nothing is remembered of the camera; `storageFailed` where it is
  ///   still on the disk; `conflict` if another client holds the camera's lease.
  @discardableResult
  public func forget() async throws(CameraBusError) -> CameraStatus {
    CameraStatus(try await configure(.with { $0.forget = true }).camera)
  }

  private func configure(
    _ body: WireConfigureRequest
  ) async throws(CameraBusError) -> WireConfigureReply {
    var body = body
    body.camera = name
    guard case .configure(let reply) = try await bus.request(.configure(body), .changing),
      reply.camera.name == name
    else { throw .unexpectedReply }
    return reply
  }
}
