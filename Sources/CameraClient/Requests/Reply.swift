import CameraProtocol
import ZeroMQ

/// A reply as it came, with its attachment.
struct Reply {
  let id: RequestID
  let epoch: Epoch
  let index: UInt32
  let isFinal: Bool
  let body: WireReply.OneOf_Body?
  let attachment: Message?

  /// Nil for parts that are no reply of this protocol.
  init?(_ parts: [Message]) {
    guard
      let (wire, attachments) = try? Framing.read(WireReply.self, from: parts, bytes: { $0.bytes }),
      let id = RequestID(bytes: wire.id), let epoch = Epoch(bytes: wire.epoch)
    else { return nil }
    self.id = id
    self.epoch = epoch
    index = wire.index
    isFinal = wire.final
    body = wire.body
    attachment = attachments.first
  }

  var outcome: ControlConnection.Outcome {
    switch body {
    case .error(let error)?: .failed(CameraBusError(error))
    case let body?:
      isFinal ? .finished(body, epoch: epoch) : .progress(body, attachment: attachment)
    case nil: .failed(.unexpectedReply)
    }
  }
}
