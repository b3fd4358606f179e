import CFFmpeg

/// How the sound of a movie is coded.
package enum SoundCodec: String, Codable, Hashable, Sendable, CaseIterable {
  case aac, opus

  /// libavcodec's name for the encoder.
  var encoder: String {
    switch self {
    case .aac: "aac"
    case .opus: "libopus"
    }
  }

  init?(_ id: AVCodecID) {
    switch id {
    case AV_CODEC_ID_AAC: self = .aac
    case AV_CODEC_ID_OPUS: self = .opus
    default: return nil
    }
  }

  /// Whether libavcodec has an encoder for it.
  package var isAvailable: Bool { unsafe avcodec_find_encoder_by_name(encoder) != nil }
}

/// How the sound of a movie is made.
package struct SoundSettings: Hashable, Sendable {
  package var codec: SoundCodec
  /// Bits a second; nil is 64 000 for each channel.
  package var bitRate: Int?

  package init(_ codec: SoundCodec, bitRate: Int? = nil) {
    self.codec = codec
    self.bitRate = bitRate
  }
}

/// Describes a coded sound track to a container.
@safe package final class SoundParameters {
  let codec: SoundCodec
  private let parameters: UnsafeMutablePointer<AVCodecParameters>

  /// - Returns: Nil without memory, and for a codec that no movie has.
  init?(copying original: UnsafePointer<AVCodecParameters>) {
    guard let codec = unsafe SoundCodec(original.pointee.codec_id),
      let parameters = unsafe avcodec_parameters_alloc()
    else { return nil }
    self.codec = codec
    unsafe self.parameters = parameters
    guard unsafe avcodec_parameters_copy(parameters, original) >= 0 else { return nil }
    unsafe parameters.pointee.codec_tag = 0
  }

  /// - Returns: Nil without memory.
  init?(of context: UnsafePointer<AVCodecContext>, _ codec: SoundCodec) {
    guard let parameters = unsafe avcodec_parameters_alloc() else { return nil }
    self.codec = codec
    unsafe self.parameters = parameters
    guard unsafe avcodec_parameters_from_context(parameters, context) >= 0 else { return nil }
    // The times of a track say where its sound belongs, so no player skips anything at its
    // beginning. libavformat would write the encoder's delay in another way into each container.
    unsafe parameters.pointee.initial_padding = 0
    if codec == .opus, unsafe parameters.pointee.extradata_size >= 12 {
      // The pre-skip of RFC 7845, section 5.1.
      unsafe parameters.pointee.extradata[10] = 0
      unsafe parameters.pointee.extradata[11] = 0
    }
  }

  deinit {
    var open: UnsafeMutablePointer<AVCodecParameters>? = unsafe parameters
    unsafe avcodec_parameters_free(&open)
  }

  var rate: Int { unsafe Int(parameters.pointee.sample_rate) }

  /// Describes the track to a new stream of a container.
  /// - Returns: False without memory.
  func put(into stream: UnsafeMutablePointer<AVStream>) -> Bool {
    unsafe stream.pointee.time_base = AVRational(
      num: 1, den: parameters.pointee.sample_rate)
    return unsafe avcodec_parameters_copy(stream.pointee.codecpar, parameters) >= 0
  }
}

/// A coded piece of sound.
struct SoundUnit {
  var bytes: [UInt8]
  /// Since the movie's first picture, in nanoseconds.
  var time: Int64
  var duration: Int64
}
