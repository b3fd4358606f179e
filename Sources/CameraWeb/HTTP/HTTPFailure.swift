import CameraClient
import FoundationEssentials
import HTTPTypes
import Reports
import Words

/// Why a request fails. The answer is a problem of RFC 9457.
struct HTTPFailure: Error, Hashable {
  var status: HTTPResponse.Status
  /// Why, for programs: a code of the bus, or one of the gateway's own.
  var code: String
  /// One sentence with the remedy.
  var message: String
  /// The name in the query or in the body that has the mistake.
  var field: String?
  var reason: String?
  var isRetryable = false
  var requestID: Identifier?
  var headers = HTTPFields()

  init(
    _ status: HTTPResponse.Status, _ code: String, _ message: String, field: String? = nil,
    isRetryable: Bool = false, headers: HTTPFields = HTTPFields()
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.field = field
    self.isRetryable = isRetryable
    self.headers = headers
  }

  /// An error of the bus.
  init(_ error: CameraBusError) {
    self.init(
      error.code.status, error.code.rawValue, error.message, field: error.field,
      isRetryable: error.isRetryable)
    reason = error.reason?.rawValue
    requestID = error.requestID
    if status == .serviceUnavailable { headers[.retryAfter] = "1" }
  }

  /// Any error.
  init(any error: any Error) {
    switch error {
    case let failure as HTTPFailure: self = failure
    case let error as CameraBusError: self.init(error)
    case is CancellationError:
      self.init(.serviceUnavailable, "closed", "the gateway ends: try again", isRetryable: true)
    default: self.init(.internalServerError, "internal", "\(error)")
    }
  }

  static let noSuchPage = HTTPFailure(
    .notFound, "noSuchPage", "there is nothing at this address: GET / shows what there is")

  static func wrongMethod(allowed: String) -> HTTPFailure {
    HTTPFailure(
      .methodNotAllowed, "wrongMethod", "this address takes \(allowed) only",
      headers: [.allow: allowed])
  }
}

extension HTTPFailure {
  /// The document that answers the request.
  var document: Data { JSONText.data(of: Document(self)) }

  private struct Document: Encodable {
    var type: String
    var title: String
    var status: Int
    var detail: String
    var code: String
    var field: String?
    var reason: String?
    var isRetryable: Bool
    var requestID: Identifier?

    init(_ failure: HTTPFailure) {
      type = "urn:camerabus:error:\(failure.code)"
      title = failure.code.separated
      status = failure.status.code
      detail = failure.message
      code = failure.code
      field = failure.field
      reason = failure.reason
      isRetryable = failure.isRetryable
      requestID = failure.requestID
    }
  }
}

extension CameraBusError.Code {
  /// What says nearest the same in HTTP.
  fileprivate var status: HTTPResponse.Status {
    switch self {
    case .invalidArgument, .malformed: .badRequest
    case .noSuchCamera, .noSuchAsset, .noSuchControl, .frameUnavailable: .notFound
    case .conflict, .notRunning, .controlNotWritable, .idReused: .conflict
    case .unsupportedFormat, .tooLarge: .unprocessableContent
    case .unsupported: .notImplemented
    case .forbidden: .forbidden
    case .busy, .interrupted, .deviceNotFound, .deviceBusy, .deviceFailed, .noBandwidth,
      .unreachable, .closed, .cancelled:
      .serviceUnavailable
    case .timedOut, .deadlineExceeded: .gatewayTimeout
    case .keyRequired, .notAuthorized, .wrongNode, .protocolViolation, .hashMismatch: .badGateway
    case .storageFull: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
    default: .internalServerError
    }
  }
}
