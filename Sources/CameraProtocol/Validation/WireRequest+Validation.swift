import FoundationEssentials
import SwiftProtobuf

extension WireRequest {
  /// The error for the first invalid field; nil if all are valid.
  ///
  /// A request without a flaw needs no further check of sizes and ranges. Only the existence of
  /// cameras, controls and assets is left to the node.
  package var flaw: WireError? {
    guard id.count == RequestID.byteCount else {
      return Self.refusal("a request's id has 16 bytes, not \(id.count)", "id")
    }
    guard remainingNs <= WireLimits.wait else {
      return Self.refusal("a request waits at most a day", "remaining_ns")
    }
    guard epoch.isEmpty || epoch.count == Epoch.byteCount else {
      return Self.refusal("an epoch has 16 bytes, not \(epoch.count)", "epoch")
    }
    guard lease.isEmpty || lease.count == RequestID.byteCount else {
      return Self.refusal("a lease's id has 16 bytes, not \(lease.count)", "lease")
    }
    return switch body {
    case nil:
      WireError(.unsupported, "this node does not know this kind of request: update the node")
    case .status(let body): Self.flaw(camera: body.camera, "status")
    case .devices: nil
    case .sessionStart(let body): Self.flaw(camera: body.camera, "session_start") ?? body.flaw
    case .sessionStop(let body): Self.flaw(camera: body.camera, "session_stop")
    case .sessionSuspend(let body):
      Self.flaw(camera: body.camera, "session_suspend") ?? body.flaw
    case .sessionResume(let body): Self.flaw(camera: body.camera, "session_resume")
    case .configure(let body): Self.flaw(camera: body.camera, "configure") ?? body.flaw
    case .leaseAcquire(let body): Self.flaw(camera: body.camera, "lease_acquire") ?? body.flaw
    case .leaseRenew(let body): Self.flaw(camera: body.camera, "lease_renew")
    case .leaseRelease(let body): Self.flaw(camera: body.camera, "lease_release")
    case .formats(let body): Self.flaw(camera: body.camera, "formats")
    case .capabilities(let body): Self.flaw(camera: body.camera, "capabilities")
    case .calibration(let body): Self.flaw(camera: body.camera, "calibration")
    case .controlsList(let body): Self.flaw(camera: body.camera, "controls_list")
    case .controlsGet(let body): Self.flaw(camera: body.camera, "controls_get") ?? body.flaw
    case .controlsSet(let body): Self.flaw(camera: body.camera, "controls_set") ?? body.flaw
    case .capture(let body): Self.flaw(camera: body.camera, "capture") ?? body.flaw
    case .recordStart(let body):
      Self.flaw(camera: body.camera, "record_start")
        ?? Self.flaw(quality: body.quality, "record_start") ?? body.flaw
    case .recordStop(let body): Self.flaw(camera: body.camera, "record_stop") ?? body.flaw
    case .assets(let body): Self.flaw(camera: body.camera, "assets") ?? body.flaw
    case .delete(let body): Self.flaw(assets: body.assets, "delete.assets")
    case .protect(let body): Self.flaw(assets: body.assets, "protect.assets")
    case .replay(let body): body.flaw
    case .download(let body): body.flaw
    case .downloadCredit(let body): body.flaw
    case .cancel(let body): Self.flaw(identifier: body.request.count, "cancel.request")
    }
  }

  static func refusal(_ message: String, _ field: String) -> WireError {
    WireError(.invalidArgument, message, field: field)
  }

  static func flaw(identifier count: Int, _ field: String) -> WireError? {
    count == RequestID.byteCount ? nil : refusal("an id has 16 bytes, not \(count)", field)
  }

  private static func flaw(assets: [Data], _ field: String) -> WireError? {
    guard (1...WireLimits.changedAssets).contains(assets.count) else {
      return refusal("name 1 to \(WireLimits.changedAssets) assets", field)
    }
    return assets.lazy.compactMap { flaw(identifier: $0.count, field) }.first
  }

  static func flaw(quality: UInt32, _ request: String) -> WireError? {
    guard quality > WireLimits.quality else { return nil }
    return refusal("quality is 1 to 100, or 0 for the node's choice", "\(request).quality")
  }

  private static func flaw(camera: String, _ request: String) -> WireError? {
    guard !camera.isEmpty, !CameraName.isValid(camera) else { return nil }
    return refusal("a camera's name has 1 to 32 letters, digits, - and _", "\(request).camera")
  }
}
