import CameraProtocol
import EventLoop
import Foundation
import OperatingSystem
import SwiftProtobuf

extension TestClient {
  /// Sends a request. Calling it again sends it again.
  func send(
    _ body: WireRequest.OneOf_Body, id: RequestID, remaining: Duration? = nil,
    lease: Data = Data()
  ) throws {
    let request = WireRequest.with {
      $0.id = id.data
      $0.lease = lease
      $0.remainingNs = remaining.map { UInt64($0 / .nanoseconds(1)) } ?? 0
      $0.body = body
    }
    try send(parts: [Framing.signature, request.bytes])
  }

  /// Sends a request and waits for its final reply; returns all its replies.
  @discardableResult
  func ask(
    _ body: WireRequest.OneOf_Body, id: RequestID = .random(), remaining: Duration? = nil
  ) async throws -> [Reply] {
    try send(body, id: id, remaining: remaining)
    return try await conversation(id)
  }

  /// Waits for the final reply to a request and returns all its replies, the final one last.
  func conversation(_ id: RequestID) async throws -> [Reply] {
    try await arrival { client in
      let replies = client.replies.filter { $0.wire.id == id.data }
      return replies.contains(where: \.wire.final) ? replies : nil
    }
  }

  func final(_ id: RequestID) async throws -> WireReply.OneOf_Body? {
    try await conversation(id).last?.wire.body
  }

  /// Waits for the first progress reply for which `choose` returns a value.
  func progress<R: Sendable>(
    _ id: RequestID, _ choose: @escaping @Sendable (WireReply.OneOf_Body?) -> R?
  ) async throws -> R {
    try await arrival { client in
      client.replies.lazy.filter { $0.wire.id == id.data }.compactMap { choose($0.wire.body) }.first
    }
  }

  /// Waits for the first event, from index `start`, for which `choose` returns a value.
  func event<R: Sendable>(
    from start: Int = 0, _ choose: @escaping @Sendable (WireEvent) -> R?
  ) async throws -> R {
    try await arrival { client in
      client.events.dropFirst(start).lazy.compactMap(\.event).compactMap(choose).first
    }
  }

  /// Waits for the first state of a camera, from event `start`, that satisfies `condition`.
  @discardableResult
  func state(
    of camera: String = "cam", from start: Int = 0,
    where condition: @escaping @Sendable (WireCameraStatus) -> Bool
  ) async throws -> WireCameraStatus {
    try await event(from: start) { event in
      guard case .state(let status)? = event.body, status.name == camera, condition(status) else {
        return nil
      }
      return status
    }
  }

  var eventCount: Int { events.count }

  // MARK: Answers

  func error(
    _ body: WireRequest.OneOf_Body, id: RequestID = .random(), remaining: Duration? = nil
  ) async throws -> WireError {
    guard
      case .error(let error)? = try await ask(body, id: id, remaining: remaining).last?.wire.body
    else { throw Unexpected("the request did not fail") }
    return error
  }

  func status(of camera: String = "") async throws -> WireStatusReply {
    let reply = try await ask(.status(.with { $0.camera = camera })).last
    guard case .status(let status)? = reply?.wire.body else { throw Unexpected(reply) }
    return status
  }

  /// The one camera of the node.
  func camera() async throws -> WireCameraStatus {
    guard let camera = try await status().cameras.first else { throw Unexpected("no camera") }
    return camera
  }

  /// The answer to a request under a lease.
  func ask(
    _ body: WireRequest.OneOf_Body, under lease: Data
  ) async throws -> WireReply.OneOf_Body? {
    let id = RequestID.random()
    try send(body, id: id, lease: lease)
    return try await conversation(id).last?.wire.body
  }

  /// What the one camera of the node can do.
  func capabilities() async throws -> WireCapabilities {
    let reply = try await ask(.capabilities(.init())).last
    guard case .capabilities(let capabilities)? = reply?.wire.body else { throw Unexpected(reply) }
    return capabilities
  }

  @discardableResult
  func set(_ settings: KeyValuePairs<String, Int64>) async throws -> [WireControl] {
    let reply = try await ask(.controlsSet(.settings(settings))).last
    guard case .controls(let controls)? = reply?.wire.body else { throw Unexpected(reply) }
    return controls.controls
  }

  func get(_ ids: [String]) async throws -> [WireControl] {
    let reply = try await ask(.controlsGet(.with { $0.ids = ids })).last
    guard case .controls(let controls)? = reply?.wire.body else { throw Unexpected(reply) }
    return controls.controls
  }

  func assets(
    _ edit: (inout WireAssetsRequest) -> Void = { _ in }
  ) async throws -> [WireAsset] {
    let reply = try await ask(.assets(.with { edit(&$0) })).last
    guard case .assets(let assets)? = reply?.wire.body else { throw Unexpected(reply) }
    return assets.assets
  }

  func delete(_ ids: [Data], id: RequestID = .random()) async throws -> [WireAssetResult] {
    let reply = try await ask(.delete(.with { $0.assets = ids }), id: id).last
    guard case .delete(let delete)? = reply?.wire.body else { throw Unexpected(reply) }
    return delete.results
  }

  func protect(_ ids: [Data], _ isProtected: Bool) async throws -> [WireAssetResult] {
    let body = WireProtectRequest.with {
      $0.assets = ids
      $0.protected = isProtected
    }
    let reply = try await ask(.protect(body)).last
    guard case .protect(let protect)? = reply?.wire.body else { throw Unexpected(reply) }
    return protect.results
  }

  func cancel(_ id: RequestID) async throws -> WireCancelReply.Outcome {
    let reply = try await ask(.cancel(.with { $0.request = id.data })).last
    guard case .cancel(let cancel)? = reply?.wire.body else { throw Unexpected(reply) }
    return cancel.outcome
  }
}

extension WireControlsSetRequest {
  static func settings(_ settings: KeyValuePairs<String, Int64>) -> WireControlsSetRequest {
    .with { request in
      // What these tests are about needs no frames.
      request.findEffect = false
      request.settings = settings.map { name, value in
        .with {
          $0.id = name
          $0.value = .with { $0.integer = value }
        }
      }
    }
  }
}

/// The test received something that it did not expect.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ what: Any?) {
    description = what.map { "unexpected: \($0)" } ?? "nothing came"
  }
}
