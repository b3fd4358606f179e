import CameraProtocol
import Capture
import Keys
import MediaLibrary
import OperatingSystem

extension WireError {
  /// The error that a client gets when a service throws `error`.
  /// - Parameter kind: The kind of the request that failed, for the path of what is wrong in it.
  init(_ error: any Error, in kind: String? = nil) {
    switch error {
    case let error as WireError: self = error
    case let error as CaptureError: self.init(error, in: kind)
    case let error as MediaLibraryError: self.init(error)
    default: self.init(.internal, "\(error)")
    }
  }

  init(_ error: CaptureError, in kind: String? = nil) {
    let field = error.part.flatMap { Self.path(of: $0, in: kind) }.flatMap { path in
      switch kind {
      case RequestField.ShotPrepare.path: "\(RequestField.ShotPrepare.path).\(path)"
      case RequestField.ShotCommit.path:
        path == RequestField.Capture.when ? RequestField.ShotCommit.when : nil
      default: path
      }
    }
    self.init(
      Self.code(of: error.code), error.message, field: field, reason: Self.reason(of: error))
  }

  private static func reason(of error: CaptureError) -> WireErrorReason {
    switch (error.code, error.part) {
    case (.conflict, .recording): .recording
    case (.invalidArgument, .moment): .momentAfterDeadline
    case (.frameUnavailable, .moment): .late
    case (.overloaded, _): .overflow
    default: .unspecified
    }
  }

  /// The path in a request of what the cameras call a part of an order; nil if this kind of request
  /// has no such field. A control keeps its id.
  private static func path(of part: CaptureError.Part, in kind: String?) -> String? {
    let isConfiguring = kind == RequestField.Configure.path
    let still = kind == RequestField.Capture.path ? RequestField.Capture.size : nil
    return switch part {
    case .control, .option: "\(part)"
    case .format: isConfiguring ? RequestField.Configure.pixelFormat : still
    case .size: isConfiguring ? RequestField.Configure.size : still
    case .rate: isConfiguring ? RequestField.Configure.maximumRate : still
    case .recording: RequestField.Configure.endRecording
    case .input: RequestField.Configure.input
    case .mode: RequestField.Configure.mode
    case .preset: RequestField.Configure.preset
    case .streams: RequestField.Configure.Streams.path
    case .moment:
      kind == RequestField.SessionStart.path
        ? RequestField.SessionStart.atMonotonicNs : RequestField.Capture.when
    case .tolerance: RequestField.Capture.toleranceNs
    case .outputs: RequestField.Capture.Outputs.path
    case .dimensions: RequestField.Capture.dimensions
    case .deferral: RequestField.Capture.deferred
    case .flash: RequestField.Capture.flash
    case .depth: RequestField.Capture.Depth.path
    case .rampRate: RequestField.ControlsSet.rampRate
    }
  }

  private init(_ error: MediaLibraryError) {
    switch error.code {
    case .assetMissing, .assetChanged: self.init(.assetDamaged, error.message)
    case .assetProtected: self.init(.conflict, error.message)
    case .invalidArgument: self.init(.invalidArgument, error.message)
    default: self.init(CaptureError(error))
    }
  }

  static var idReused: WireError {
    WireError(
      .idReused,
      "this id stands for a request with other settings: choose a new id",
      field: RequestField.id
    )
  }

  static var outcomeUnknown: WireError {
    WireError(
      .outcomeUnknown,
      "this request may have been carried out before, and its result is no longer known: list the assets",
      field: RequestField.id
    )
  }

  /// The key was authorized when its connection began.
  static var noLongerAuthorized: WireError {
    WireError(
      .forbidden, "this key may no longer use the node: ask its owner to authorize it again")
  }

  static func forbidden(_ kind: String, needs role: Role, _ access: Access) -> WireError {
    var error = WireError(
      .forbidden,
      "\(kind) needs the role \(role.rawValue), and \(access.name) has the role "
        + "\(access.role.rawValue): ask the node's owner")
    error.neededRole = WireRole(role)
    return error
  }

  static func forbidden(camera: String, _ access: Access) -> WireError {
    let cameras = (access.cameras ?? []).sorted().joined(separator: ", ")
    return WireError(
      .forbidden, "\(access.name) is for \(cameras) and not for \(camera): ask the node's owner")
  }

  static func busy(_ crowd: RequestMemory.Crowd, _ sender: Holder) -> WireError {
    switch crowd {
    case .sender:
      WireError(
        .busy,
        "\(sender.words) has too many requests under way: wait for replies before you ask for more")
    case .everyone:
      WireError(
        .busy, "all clients together have too many requests under way: ask again in a moment")
    }
  }

  static func noSuchAsset(_ id: AssetID) -> WireError {
    WireError(
      .noSuchAsset, "there is no asset \(id): list what is there",
      field: RequestField.Download.asset)
  }

  private static func code(of code: CaptureError.Code) -> WireErrorCode {
    switch code {
    case .deviceNotFound: .deviceNotFound
    case .deviceBusy: .deviceBusy
    case .deviceStalled, .deviceFailed: .deviceFailed
    case .permissionDenied: .permissionDenied
    case .unsuitableDevice: .unsuitableDevice
    case .noBandwidth: .noBandwidth
    case .unsupportedFormat: .unsupportedFormat
    case .noSuchControl: .noSuchControl
    case .invalidControlValue, .invalidArgument: .invalidArgument
    case .controlNotWritable: .controlNotWritable
    case .notRunning: .notRunning
    case .interrupted: .interrupted
    case .conflict: .conflict
    case .frameUnavailable: .frameUnavailable
    case .deadlineExceeded: .deadlineExceeded
    case .cancelled: .cancelled
    case .overloaded: .busy
    case .encodingFailed: .encodingFailed
    case .storageFull: .storageFull
    case .storageFailed: .storageFailed
    case .noSuchAsset: .noSuchAsset
    default: .internal
    }
  }
}
