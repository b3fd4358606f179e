/// A service throws the very error that its client gets.
extension WireError: Error {}

extension WireError {
  /// - Parameters:
  ///   - message: One sentence for a person, which says what to do.
  ///   - field: The wrong field's path in the request or the control's id, if there is one.
  package init(
    _ code: WireErrorCode, _ message: String, field: String? = nil,
    reason: WireErrorReason = .unspecified
  ) {
    self.init()
    self.code = code
    // They may repeat a text of the request, which must not control a terminal.
    self.message = message.escaped
    self.field = field?.escaped ?? ""
    retryable = code.isRetryable
    self.reason = reason
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
}
