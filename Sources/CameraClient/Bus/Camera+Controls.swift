import CameraProtocol
import SwiftProtobuf

extension Camera {
  /// All controls of the camera, with their present values.
  public func controls() async throws(CameraBusError) -> [Control] {
    try await controls(.controlsList(.with { $0.camera = name }), .reading).map(Control.init)
  }

  /// These controls of the camera, in this order, with their present values.
  ///
  /// - Throws: `noSuchControl`.
  public func controls(_ ids: [String]) async throws(CameraBusError) -> [Control] {
    let body = WireControlsGetRequest.with {
      $0.camera = name
      $0.ids = ids
    }
    return try await controls(.controlsGet(body), .reading, ids)
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
    try await set([(id, value)]).first?.value
  }

  /// Sets several controls: all of them or, when one fails, none.
  ///
  /// - Returns: The controls with the values that took effect.
  /// - Throws: `noSuchControl`, `controlNotWritable`, `invalidArgument`.
  @discardableResult
  public func set(
    _ settings: [(id: String, value: ControlValue)]
  ) async throws(CameraBusError) -> [Control] {
    let body = WireControlsSetRequest.with {
      $0.camera = name
      $0.settings = settings.map { setting in
        .with {
          $0.id = setting.id
          $0.value = setting.value.wire
        }
      }
    }
    return try await controls(.controlsSet(body), .changing, settings.map(\.id))
  }

  /// Asks for these controls, and makes sure that the answer has no others.
  private func controls(
    _ body: WireRequest.OneOf_Body,
    _ resending: PendingRequests.Resending,
    _ ids: [String]
  ) async throws(CameraBusError) -> [Control] {
    let controls = try await controls(body, resending)
    guard controls.map(\.id) == ids else { throw .unexpectedReply }
    return controls.map(Control.init)
  }

  private func controls(
    _ body: WireRequest.OneOf_Body,
    _ resending: PendingRequests.Resending
  ) async throws(CameraBusError) -> [WireControl] {
    guard case .controls(let reply) = try await bus.request(body, resending) else {
      throw .unexpectedReply
    }
    return reply.controls
  }
}
