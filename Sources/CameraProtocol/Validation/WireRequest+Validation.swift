import FoundationEssentials
import SwiftProtobuf

extension WireRequest {
  /// The error for the first invalid field; nil if all are valid.
  ///
  /// A request without a flaw needs no further check of sizes and ranges. Only the existence of
  /// cameras, controls and assets is left to the node.
  package var flaw: WireError? {
    guard id.count == RequestID.byteCount else {
      return Self.refusal("a request's id has 16 bytes, not \(id.count)", RequestField.id)
    }
    guard remainingNs <= WireLimits.wait else {
      return Self.refusal("a request waits at most a day", RequestField.remainingNs)
    }
    guard epoch.isEmpty || epoch.count == Epoch.byteCount else {
      return Self.refusal("an epoch has 16 bytes, not \(epoch.count)", RequestField.epoch)
    }
    guard lease.isEmpty || lease.count == RequestID.byteCount else {
      return Self.refusal("a lease's id has 16 bytes, not \(lease.count)", RequestField.lease)
    }
    guard let body else {
      return WireError(
        .unsupported, "this node does not know this kind of request: update the node")
    }
    return body.flaw
  }
}

extension WireRequest.OneOf_Body {
  /// The error for the first invalid field of the body; nil if all are valid.
  package var flaw: WireError? {
    if let camera, !camera.isEmpty, !CameraName.isValid(camera) {
      return WireRequest.refusal(
        "a camera's name has 1 to 32 letters, digits, - and _", RequestField.camera(of: name))
    }
    return switch self {
    case .sessionSuspend(let body): body.flaw
    case .configure(let body): body.flaw
    case .leaseAcquire(let body): body.flaw
    case .controlsGet(let body): body.flaw
    case .controlsSet(let body): body.flaw
    case .capture(let body): body.flaw
    case .shotPrepare(let body): body.flaw
    case .shotCommit(let body): body.flaw
    case .shotAbort(let body):
      WireRequest.flaw(identifier: body.shot.count, RequestField.ShotAbort.shot)
    case .recordStart(let body): body.flaw
    case .recordStop(let body): body.flaw
    case .recordPause(let body):
      WireRequest.flaw(recording: body.recording, RequestField.RecordPause.recording)
    case .recordResume(let body):
      WireRequest.flaw(recording: body.recording, RequestField.RecordResume.recording)
    case .recordTrigger(let body):
      WireRequest.flaw(recording: body.recording, RequestField.RecordTrigger.recording)
        ?? WireRequest.flaw(moment: body.atMonotonicNs, RequestField.RecordTrigger.atMonotonicNs)
    case .assets(let body): body.flaw
    case .delete(let body): WireRequest.flaw(assets: body.assets, RequestField.Delete.assets)
    case .protect(let body): WireRequest.flaw(assets: body.assets, RequestField.Protect.assets)
    case .tag(let body): body.flaw
    case .libraryVerify(let body): body.flaw
    case .replay(let body): body.flaw
    case .download(let body): body.flaw
    case .downloadCredit(let body): body.flaw
    case .cancel(let body):
      WireRequest.flaw(identifier: body.request.count, RequestField.Cancel.request)
    case .sessionStart(let body):
      WireRequest.flaw(moment: body.atMonotonicNs, RequestField.SessionStart.atMonotonicNs)
    case .status, .clock, .devices, .microphones, .sessionStop, .sessionResume, .leaseRenew,
      .leaseRelease, .formats, .capabilities, .calibration, .controlsList, .libraryRepair:
      nil
    }
  }
}

extension RequestField {
  /// The path of the camera's name in this kind of request.
  package static func camera(of kind: String) -> String {
    kind == ShotPrepare.path ? ShotPrepare.Capture.camera : "\(kind).camera"
  }
}

extension WireRequest {
  static func refusal(_ message: String, _ field: String) -> WireError {
    WireError(.invalidArgument, message, field: field)
  }

  static func flaw(identifier count: Int, _ field: String) -> WireError? {
    count == RequestID.byteCount ? nil : refusal("an id has 16 bytes, not \(count)", field)
  }

  static func flaw(assets: [Data], _ field: String) -> WireError? {
    guard (1...WireLimits.changedAssets).contains(assets.count) else {
      return refusal("name 1 to \(WireLimits.changedAssets) assets", field)
    }
    return assets.lazy.compactMap { flaw(identifier: $0.count, field) }.first
  }

  static func flaw(_ size: WireSize, _ field: String) -> WireError? {
    let sides = 1...WireLimits.imageSide
    guard !sides.contains(size.width) || !sides.contains(size.height) else { return nil }
    return refusal("a size is 1 to \(WireLimits.imageSide) pixels in each direction", field)
  }

  static func flaw(quality: UInt32, _ field: String) -> WireError? {
    guard quality > WireLimits.quality else { return nil }
    return refusal("quality is 1 to 100, or 0 for the node's choice", field)
  }
}
