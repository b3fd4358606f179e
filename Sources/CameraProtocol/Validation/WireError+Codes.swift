/// A service throws the very error that its client gets.
extension WireError: Error {}

extension WireError {
  /// - Parameters:
  ///   - message: One sentence for a person, which says what to do.
  ///   - field: The wrong field's path in the request or the control's id, if there is one.
  package init(_ code: WireErrorCode, _ message: String, field: String? = nil) {
    self.init()
    self.code = code
    // They may repeat a text of the request, which must not control a terminal.
    self.message = message.escaped
    self.field = field?.escaped ?? ""
    retryable = code.isRetryable
  }
}

extension WireErrorCode {
  /// Whether the same body may succeed later, under a new id.
  package var isRetryable: Bool {
    switch self {
    case .busy, .notRunning, .interrupted, .deviceNotFound, .deviceBusy, .deviceFailed,
      .deadlineExceeded, .noBandwidth:
      true
    default: false
    }
  }

  /// The code's name for programs, such as "deadlineExceeded". It never changes.
  package var name: String {
    switch self {
    case .unspecified: "unspecified"
    case .malformed: "malformed"
    case .unsupported: "unsupported"
    case .invalidArgument: "invalidArgument"
    case .noSuchCamera: "noSuchCamera"
    case .noSuchControl: "noSuchControl"
    case .noSuchAsset: "noSuchAsset"
    case .controlNotWritable: "controlNotWritable"
    case .unsupportedFormat: "unsupportedFormat"
    case .notRunning: "notRunning"
    case .interrupted: "interrupted"
    case .frameUnavailable: "frameUnavailable"
    case .busy: "busy"
    case .deadlineExceeded: "deadlineExceeded"
    case .cancelled: "cancelled"
    case .idReused: "idReused"
    case .outcomeUnknown: "outcomeUnknown"
    case .conflict: "conflict"
    case .deviceNotFound: "deviceNotFound"
    case .deviceBusy: "deviceBusy"
    case .permissionDenied: "permissionDenied"
    case .unsuitableDevice: "unsuitableDevice"
    case .noBandwidth: "noBandwidth"
    case .deviceFailed: "deviceFailed"
    case .storageFull: "storageFull"
    case .storageFailed: "storageFailed"
    case .encodingFailed: "encodingFailed"
    case .assetDamaged: "assetDamaged"
    case .forbidden: "forbidden"
    case .internal, .UNRECOGNIZED: "internal"
    }
  }
}
