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

  /// Nil for parts that are no reply of this protocol, and for progress that only a newer node
  /// knows.
  init?(_ parts: [Message]) {
    guard
      let (wire, attachments) = try? Framing.read(WireReply.self, from: parts, bytes: { $0.bytes }),
      let id = RequestID(bytes: wire.id), let epoch = Epoch(bytes: wire.epoch),
      wire.final || wire.body != nil
    else { return nil }
    self.id = id
    self.epoch = epoch
    index = wire.index
    body = wire.body
    // An error ends the request, whatever the node says.
    isFinal = if case .error? = wire.body { true } else { wire.final }
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
