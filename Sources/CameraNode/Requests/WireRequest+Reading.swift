import CameraProtocol
import Digest
import Foundation
import SwiftProtobuf
import ZeroMQ

/// Parts that are no request, with the answer to give.
struct RequestRefusal: Error {
  /// The request's id as far as it could be read.
  var id: Data
  var error: WireError
}

extension WireRequest {
  /// Reads and checks a request; what comes out can be believed.
  /// - Parameter parts: the parts behind the client's address.
  static func read(
    _ parts: ArraySlice<ZeroMQ.Message>
  ) throws(RequestRefusal) -> (request: WireRequest, id: RequestID) {
    let request: WireRequest
    do throws(FramingError) {
      request = try Framing.read(WireRequest.self, from: parts, bytes: { $0.bytes }).message
    } catch {
      throw RequestRefusal(id: Data(), error: WireError(.malformed, error.message))
    }
    if let flaw = request.flaw { throw RequestRefusal(id: request.id, error: flaw) }
    guard let id = RequestID(bytes: request.id) else {
      preconditionFailure("a request without flaw has an id")
    }
    return (request, id)
  }

  /// Tells requests of the same id with other settings apart; what a repetition says anew is no setting.
  var fingerprint: SHA256Digest {
    var settings = self
    settings.remainingNs = 0
    settings.epoch = Data()
    return unsafe SHA256.hash(of: settings.bytes.span.bytes)
  }
}
