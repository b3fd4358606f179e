import CameraProtocol
import SwiftProtobuf
import TestSupport

extension RawPeer {
  /// Sends a request with a new id.
  func request(_ body: WireRequest.OneOf_Body) throws {
    let request = WireRequest.with {
      $0.id = RequestID.random().data
      $0.body = body
    }
    try send(message: Framing.signature, more: true)
    try send(message: request.bytes)
  }
}
