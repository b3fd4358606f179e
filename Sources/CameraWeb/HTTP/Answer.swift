import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import NIOCore

/// What a request is answered with.
struct Answer: Sendable {
  enum Body: Sendable {
    case whole(ByteBuffer)
    /// Written as it comes, until the writer ends or the visitor has gone.
    case stream(@concurrent @Sendable (inout any ResponseBodyWriter) async throws -> Void)
  }

  var status: HTTPResponse.Status
  var headers: HTTPFields
  var body: Body

  init(_ status: HTTPResponse.Status, _ headers: HTTPFields, _ body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  init(
    status: HTTPResponse.Status = .ok, type: String, _ text: String,
    headers: HTTPFields = HTTPFields()
  ) {
    self.init(status, headers, .whole(ByteBuffer(string: text)))
    self.headers[.contentType] = type
  }

  init(
    status: HTTPResponse.Status = .ok, type: String, _ bytes: some Sequence<UInt8>,
    headers: HTTPFields = HTTPFields()
  ) {
    self.init(status, headers, .whole(ByteBuffer(bytes: bytes)))
    self.headers[.contentType] = type
  }

  static func json(
    _ data: Data, status: HTTPResponse.Status = .ok, headers: HTTPFields = HTTPFields()
  ) -> Answer {
    Answer(status: status, type: "application/json", data, headers: headers)
  }

  init(_ failure: HTTPFailure) {
    self.init(
      status: failure.status, type: "application/problem+json", failure.document,
      headers: failure.headers)
  }

  /// Leads the browser to another page of the gateway.
  static func redirection(to path: String, headers: HTTPFields = HTTPFields()) -> Answer {
    var answer = Answer(status: .seeOther, type: "text/plain", "see \(path)\n", headers: headers)
    answer.headers[.location] = path
    return answer
  }
}
