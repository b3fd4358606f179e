import CFFmpeg
import Imaging
import OperatingSystem

/// Codes pictures as H.264 by libavcodec. Used on one thread.
///
/// Pictures come out as byte streams (Annex B), each as a whole, in their order. A key picture has
/// its parameters with it, so that a decoder can begin there.
@safe final class VideoEncoder {
  /// The encoders of libavcodec that are tried, the cheapest one for the processor first.
  static let names = ["h264_v4l2m2m", "libx264"]

  /// Times are in microseconds: more than players read, and x264 has 32 bits for the denominator.
  private static let timeBase = AVRational(num: 1, den: 1_000_000)

  let name: String
  let shape: VideoShape
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private var picture: UnsafeMutablePointer<AVFrame>?
  private var packet: UnsafeMutablePointer<AVPacket>?

  /// Opens the first encoder that this machine has and that is not among those that failed.
  /// - Throws: `notEncodable` if there is none.
  static func open(
    _ settings: VideoSettings, _ shape: VideoShape, except failed: Set<String> = []
  ) throws(RecordingError) -> VideoEncoder {
    for name in names where !failed.contains(name) {
      if let encoder = VideoEncoder(name, settings, shape) { return encoder }
    }
    throw RecordingError(
      .notEncodable,
      "no encoder makes H.264 of pictures of \(shape.size): install libx264, or record MJPEG")
  }

  /// - Returns: Nil if libavcodec does not have it, or it does not open here.
  init?(_ name: String, _ settings: VideoSettings, _ shape: VideoShape) {
    self.name = name
    self.shape = shape
    _ = MovieWriter.quiet
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let context = unsafe avcodec_alloc_context3(codec)
    else { return nil }
    unsafe self.context = context
    unsafe Self.describe(context, settings, shape)
    if name == "libx264" { unsafe Self.set(x264: context, settings) }
    guard unsafe avcodec_open2(context, codec, nil) >= 0, allocate() else {
      release()
      return nil
    }
  }

  deinit {
    release()
  }

  /// Takes one picture.
  /// - Parameters:
  ///   - time: Nanoseconds since any moment, more than those of the picture before.
  ///   - isKey: Whether the picture shall need no other one.
  ///   - make: Writes the picture.
  /// - Throws: What `make` throws, before the encoder gets anything.
  func take<E: Error>(
    at time: Int64, isKey: Bool, make: (VideoPlanes) throws(E) -> Void
  ) throws(E) -> Result<Void, RecordingError> {
    guard let context = unsafe context, let picture = unsafe picture,
      unsafe av_frame_make_writable(picture) >= 0,
      let planes = unsafe VideoPlanes(picture, size: shape.size)
    else { return .failure(failed("has no memory")) }
    try unsafe make(planes)
    unsafe picture.pointee.pts = time / 1000
    unsafe picture.pointee.pict_type = isKey ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
    let status = unsafe avcodec_send_frame(context, picture)
    return status >= 0 ? .success(()) : .failure(failed("failed (\(RecordingError.text(status)))"))
  }

  /// Gives the next picture that is ready.
  /// - Returns: Nil if there is none.
  func next<R>(_ body: (RawSpan, _ microseconds: Int64) -> R) throws(RecordingError) -> R? {
    guard let context = unsafe context, let packet = unsafe packet else { return nil }
    let status = unsafe avcodec_receive_packet(context, packet)
    if status == CFFmpeg_error(EAGAIN) || status == CFFmpeg_endOfFile { return nil }
    guard status >= 0, let data = unsafe packet.pointee.data else {
      throw failed("failed (\(RecordingError.text(status)))")
    }
    defer { unsafe av_packet_unref(packet) }
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: Int(packet.pointee.size))
    return body(unsafe RawSpan(_unsafeBytes: bytes), unsafe packet.pointee.pts)
  }

  private func failed(_ words: String) -> RecordingError {
    RecordingError(.notEncodable, "the encoder \(name) \(words) with pictures of \(shape.size)")
  }

  private static func describe(
    _ context: UnsafeMutablePointer<AVCodecContext>, _ settings: VideoSettings, _ shape: VideoShape
  ) {
    unsafe context.pointee.width = Int32(shape.size.width)
    unsafe context.pointee.height = Int32(shape.size.height)
    unsafe context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
    unsafe context.pointee.time_base = timeBase
    let rate = shape.framesPerSecond ?? 30
    unsafe context.pointee.framerate = av_d2q(rate, 1001)
    // Key pictures are asked for by time (`VideoStream`). The encoder's own ones are far apart.
    let seconds = settings.keyInterval / .seconds(1)
    unsafe context.pointee.gop_size = Int32(clamping: Int64((2 * rate * seconds).rounded(.up)) + 1)
    unsafe context.pointee.max_b_frames = 0
    unsafe context.pointee.color_range =
      shape.coding.range == .full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
    unsafe context.pointee.colorspace =
      shape.coding.matrix == .bt601 ? AVCOL_SPC_SMPTE170M : AVCOL_SPC_BT709
    if shape.coding.matrix == .bt709 {
      unsafe context.pointee.color_primaries = AVCOL_PRI_BT709
      unsafe context.pointee.color_trc = AVCOL_TRC_BT709
    }
    // Slices of one picture are coded at the same time. Small ones are not worth threads.
    let isSmall = shape.size.width * shape.size.height <= 640 * 480
    unsafe context.pointee.thread_count = isSmall ? 1 : Int32(min(4, Processors.count))
    if let bitRate = settings.bitRate {
      unsafe context.pointee.bit_rate = Int64(bitRate)
      unsafe context.pointee.rc_max_rate = Int64(bitRate)
      unsafe context.pointee.rc_buffer_size = Int32(clamping: bitRate)
    }
  }

  private static func set(
    x264 context: UnsafeMutablePointer<AVCodecContext>, _ settings: VideoSettings
  ) {
    var options = [
      // A picture of a busy scene takes a third of the time of the next preset.
      ("preset", "ultrafast"),
      // Each picture comes out before the next one goes in.
      ("tune", "zerolatency"),
      ("forced-idr", "1"),
    ]
    if settings.bitRate == nil { options.append(("crf", "\(settings.rateFactor)")) }
    for (name, value) in options {
      unsafe av_opt_set(context.pointee.priv_data, name, value, 0)
    }
  }

  private func allocate() -> Bool {
    unsafe packet = av_packet_alloc()
    unsafe picture = av_frame_alloc()
    guard unsafe packet != nil, let picture = unsafe picture else { return false }
    unsafe picture.pointee.width = Int32(shape.size.width)
    unsafe picture.pointee.height = Int32(shape.size.height)
    unsafe picture.pointee.format = AV_PIX_FMT_YUV420P.rawValue
    return unsafe av_frame_get_buffer(picture, 0) >= 0
  }

  private func release() {
    unsafe av_packet_free(&packet)
    unsafe av_frame_free(&picture)
    unsafe avcodec_free_context(&context)
  }
}

extension VideoPlanes {
  /// - Returns: Nil if the frame has no planes.
  fileprivate init?(_ frame: UnsafeMutablePointer<AVFrame>, size: ImageSize) {
    let (data, strides) = unsafe (frame.pointee.data, frame.pointee.linesize)
    guard let luma = unsafe data.0, let blue = unsafe data.1, let red = unsafe data.2 else {
      return nil
    }
    unsafe self.init(
      size: size, luma: luma, blue: blue, red: red, lumaStride: Int(strides.0),
      chromaStride: Int(strides.1))
  }
}
