import CFFmpeg
package import Imaging

/// How the pictures of a movie are coded.
package enum VideoCodec: String, Codable, Hashable, Sendable, CaseIterable, CustomStringConvertible
{
  /// Each picture is a JPEG.
  case mjpeg
  case h264

  package var description: String {
    switch self {
    case .mjpeg: "MJPEG"
    case .h264: "H.264"
    }
  }

  /// The format of frames that are coded so.
  package var pixelFormat: PixelFormat {
    switch self {
    case .mjpeg: .mjpeg
    case .h264: .h264
    }
  }

  /// Nil for frames in another format.
  package init?(_ format: PixelFormat) {
    switch format {
    case .mjpeg, .jpeg: self = .mjpeg
    case .h264: self = .h264
    default: return nil
    }
  }

  /// How a picture is put together that may need those before it; nil if each stands for itself.
  package var standard: AccessUnit.Standard? { AccessUnit.Standard(pixelFormat) }

  /// Whether a picture may need those before it.
  package var hasDependentPictures: Bool { standard != nil }

  var id: AVCodecID {
    switch self {
    case .mjpeg: AV_CODEC_ID_MJPEG
    case .h264: AV_CODEC_ID_H264
    }
  }

  init?(_ id: AVCodecID) {
    guard let codec = Self.allCases.first(where: { $0.id == id }) else { return nil }
    self = codec
  }
}
