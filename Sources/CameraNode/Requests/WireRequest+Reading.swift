import CameraProtocol
import Digest
import FoundationEssentials
import SwiftProtobuf
import ZeroMQ

/// The answer to message parts that are not a valid request.
struct RequestRefusal: Error {
  /// The request's id; empty when it could not be read, or is longer than an id can be.
  var id: Data
  var error: WireError
}

extension WireRequest {
  /// Reads and checks a request. The returned request is valid by the protocol.
  /// - Parameter parts: The message's parts after the client's address.
  static func read(
    _ parts: ArraySlice<ZeroMQ.Message>
  ) throws(RequestRefusal) -> (request: WireRequest, id: RequestID) {
    let request: WireRequest
    do throws(FramingError) {
      request = try Framing.read(WireRequest.self, from: parts, bytes: { $0.bytes }).message
    } catch {
      throw RequestRefusal(id: Data(), error: WireError(.malformed, error.message))
    }
    if let flaw = request.flaw {
      // A longer one would make the node send back whatever a client sends.
      let id = request.id.count <= RequestID.byteCount ? request.id : Data()
      throw RequestRefusal(id: id, error: flaw)
    }
    guard let id = RequestID(bytes: request.id) else {
      preconditionFailure("a request without flaw has an id")
    }
    return (request, id)
  }

  /// Differs between requests that have the same id and other settings, or come from other keys. A
  /// retry sets its remaining time and epoch again, so they do not count; and without keys it may
  /// come over another connection.
  func fingerprint(of holder: Holder) -> SHA256Digest {
    var settings = self
    settings.remainingNs = 0
    settings.epoch = Data()
    settings.lease = Data()
    var bytes = settings.bytes
    if case .peer(let user) = holder { bytes += user.utf8 }
    return unsafe SHA256.hash(of: bytes.span.bytes)
  }
}
