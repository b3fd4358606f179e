import CameraProtocol
import SwiftProtobuf

extension Camera {
  /// All controls of the camera, with their present values.
  public func controls() async throws(CameraBusError) -> [Control] {
    try await reply(.controlsList(.with { $0.camera = name }), .reading).controls.map(Control.init)
  }

  /// These controls of the camera, in this order, with their present values.
  ///
  /// - Throws: `noSuchControl`.
  public func controls(_ ids: [String]) async throws(CameraBusError) -> [Control] {
    let body = WireControlsGetRequest.with {
      $0.camera = name
      $0.ids = ids
    }
    let controls = try await reply(.controlsGet(body), .reading).controls
    guard controls.map(\.id) == ids else { throw .unexpectedReply }
    return controls.map(Control.init)
  }

  /// The present value of a control; nil for a button and for a control that cannot be read.
  ///
  /// - Throws: `noSuchControl`.
  public func value(of id: String) async throws(CameraBusError) -> ControlValue? {
    try await controls([id]).first?.value
  }

  /// Sets a control.
  ///
  /// - Returns: The value that took effect, which a driver may have rounded.
  /// - Throws: `noSuchControl`, `controlNotWritable`, `invalidArgument`.
  @discardableResult
  public func set(
    _ id: String,
    to value: ControlValue
  ) async throws(CameraBusError) -> ControlValue? {
    try await set([(id, value)]).controls.first?.value
  }

  /// Sets several controls: all of them or, when one fails, none.
  ///
  /// - Parameters:
  ///   - settings: Names and values, set in this order.
  ///   - findsEffect: Whether to look for the first frame that the change affects; nil looks if one
  ///     of the controls is known to shape the picture. The answer comes when that frame is found,
  ///     or 16 frames later.
  ///   - rampRate: Moves `zoom`, which must be among the settings, smoothly, by so many doublings a
  ///     second, at most 64. The answer comes at once; ``Control/rampingTo`` says where it will
  ///     end.
  ///     ``stopRamp()`` and another change of the zoom end it earlier, and so do the end of the
  ///     stream and that of a lease.
  /// - Returns: The controls with the values that took effect, and that frame.
  /// - Throws: `noSuchControl`, `controlNotWritable`, `invalidArgument`.
  @discardableResult
  public func set(
    _ settings: [(id: String, value: ControlValue)], findsEffect: Bool? = nil,
    rampRate: Double? = nil
  ) async throws(CameraBusError) -> AppliedControls {
    let body = WireControlsSetRequest.with {
      $0.camera = name
      $0.settings = settings.map { setting in
        .with {
          $0.id = setting.id
          $0.value = setting.value.wire
        }
      }
      if let findsEffect { $0.findEffect = findsEffect }
      if let rampRate { $0.rampRate = rampRate }
    }
    let reply = try await reply(.controlsSet(body), .changing)
    guard reply.controls.map(\.id) == settings.map(\.id) else { throw .unexpectedReply }
    return AppliedControls(
      controls: reply.controls.map(Control.init),
      effect: reply.hasEffect ? ControlEffect(reply.effect) : nil)
  }

  /// Ends a ramp of the zoom where it stands.
  public func stopRamp() async throws(CameraBusError) {
    let body = WireControlsSetRequest.with {
      $0.camera = name
      $0.stopRamp = true
    }
    _ = try await reply(.controlsSet(body), .changing)
  }

  private func reply(
    _ body: WireRequest.OneOf_Body,
    _ resending: PendingRequests.Resending
  ) async throws(CameraBusError) -> WireControlsReply {
    guard case .controls(let reply) = try await bus.request(body, resending) else {
      throw .unexpectedReply
    }
    return reply
  }
}
