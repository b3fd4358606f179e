import CameraProtocol
import Capture
import Imaging
import ZeroMQ

/// A topic that a publisher sends on, with its own numbering. Confined to the publisher's loop.
final class PublishedTopic {
  let name: String
  let bytes: [UInt8]
  /// The camera that it is about; nil for heartbeats.
  let camera: String?
  /// The number of the last publication.
  var sequence: UInt64
  /// How many heartbeats still carry a topic that has ended; nil before its end.
  var beatsLeft: Int?
  /// How often a publication was dropped because a subscriber's queue had just become full.
  var overflows: UInt64 = 0
  /// The frames that libzmq holds. The camera's pool cannot reuse their memory, so frames beyond
  /// the limit are sent as copies. This way stalled subscribers cannot stop the camera.
  let lending = Lending(limit: PublishedTopic.lendingLimit)
  /// Twice what one subscriber can hold: its queue of three frames and the one being sent.
  private static let lendingLimit = 8
  /// The last frame's format and its name, kept so that the name is not made for every frame.
  private var format: (code: PixelFormat, name: PixelFormatName)?

  init(_ name: String, after sequence: UInt64 = 0) {
    self.name = name
    self.sequence = sequence
    bytes = Array(name.utf8)
    camera =
      switch Topic(parsing: bytes) {
      case .frame(let camera, _), .event(let camera, _): camera
      case .heartbeat, nil: nil
      }
  }

  func header(of frame: Frame) -> PublicationHeader.Frame {
    let code = frame.layout.pixelFormat
    if let format, format.code.rawValue == code.rawValue {
      return PublicationHeader.Frame(frame, format: format.name)
    }
    let name = PixelFormatName(code.name) ?? PixelFormatName()
    format = (code, name)
    return PublicationHeader.Frame(frame, format: name)
  }
}
