import CameraProtocol
import Capture
import Imaging
import ZeroMQ

/// A topic that a publisher sends on, with its own numbering. Confined to the publisher's loop.
final class PublishedTopic {
  let name: String
  let bytes: [UInt8]
  /// The number of the last publication.
  var sequence: UInt64 = 0
  /// How often a publication met a subscriber's queue that had just become full.
  var overflows: UInt64 = 0
  /// The frames that libzmq holds. Their memory is missing from the camera's pool, so frames beyond
  /// this limit are sent as copies: however many subscribers stand still, the camera goes on.
  let lending = Lending(limit: PublishedTopic.lendingLimit)
  /// Twice the queue of one subscriber plus the frame on its way.
  private static let lendingLimit = 8
  /// The format of the last frame and its name, so that a name is made once per format.
  private var format: (code: PixelFormat, name: PixelFormatName)?

  init(_ name: String) {
    self.name = name
    bytes = Array(name.utf8)
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
