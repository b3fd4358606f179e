import CameraProtocol

extension WireRequest.OneOf_Body {
  /// The camera that a request may be under the lease of.
  var leasedCamera: String? {
    switch self {
    case .status(let body): body.camera
    case .sessionStart(let body): body.camera
    case .sessionStop(let body): body.camera
    case .sessionSuspend(let body): body.camera
    case .sessionResume(let body): body.camera
    case .controlsSet(let body): body.camera
    case .configure(let body): body.camera
    case .capture(let body): body.camera
    case .recordStart(let body): body.camera
    case .leaseAcquire(let body): body.camera
    case .leaseRenew(let body): body.camera
    case .leaseRelease(let body): body.camera
    default: nil
    }
  }
}
