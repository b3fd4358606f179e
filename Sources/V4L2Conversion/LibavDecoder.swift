import CFFmpeg
import CaptureV4L2
import Imaging

/// Decodes video by libavcodec. Each picture comes out before the next one goes in.
@safe final class LibavDecoder: VideoDecoder {
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var number: Int64 = 0
  private let standard: AccessUnit.Standard
  private let maximumPixels: Int
  private let matrix: ImageLayout.Matrix

  /// Silences libavcodec, which would print to stderr. Its calls return the errors that matter.
  private static let quiet: Void = av_log_set_level(AV_LOG_QUIET)

  /// - Parameters:
  ///   - maximumPixels: Larger pictures are damaged, so that they take no memory.
  ///   - matrix: That of a video that does not say it.
  /// - Returns: Nil if libavcodec has no decoder.
  init?(_ standard: AccessUnit.Standard, maximumPixels: Int, matrix: ImageLayout.Matrix) {
    _ = Self.quiet
    (self.standard, self.maximumPixels, self.matrix) = (standard, maximumPixels, matrix)
    unsafe (packet, frame) = (av_packet_alloc(), av_frame_alloc())
    guard unsafe packet != nil, unsafe frame != nil, open() else {
      release()
      return nil
    }
  }

  private func open() -> Bool {
    let id = standard == .h264 ? AV_CODEC_ID_H264 : AV_CODEC_ID_HEVC
    guard let codec = unsafe avcodec_find_decoder(id),
      let context = unsafe avcodec_alloc_context3(codec)
    else { return false }
    unsafe self.context = context
    // Threads of libavcodec would hold pictures back.
    unsafe context.pointee.thread_count = 1
    unsafe context.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY
    unsafe context.pointee.max_pixels = Int64(maximumPixels)
    // The decoder of H.264 says which pictures have errors; that of HEVC only refuses them.
    if standard == .hevc { unsafe context.pointee.err_recognition |= AV_EF_EXPLODE }
    return unsafe avcodec_open2(context, codec, nil) >= 0
  }

  deinit {
    release()
  }

  func decode(_ picture: RawSpan) -> DecodedPicture {
    guard let context = unsafe context, let packet = unsafe packet, let frame = unsafe frame else {
      return .damaged
    }
    // What came late is of no use.
    while unsafe avcodec_receive_frame(context, frame) >= 0 {}
    number += 1
    let sent = unsafe picture.withUnsafeBytes { bytes in
      // Borrowed for the call: libavcodec copies what has no owner.
      unsafe packet.pointee.data = UnsafeMutablePointer(
        mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
      unsafe packet.pointee.size = Int32(clamping: bytes.count)
      unsafe packet.pointee.pts = number
      defer { unsafe (packet.pointee.data, packet.pointee.size) = (nil, 0) }
      return unsafe avcodec_send_packet(context, packet)
    }
    guard sent >= 0 else { return .damaged }
    while true {
      let status = unsafe avcodec_receive_frame(context, frame)
      if status == CFFmpeg_error(EAGAIN) { return .late }
      guard status >= 0 else { return .damaged }
      if unsafe frame.pointee.pts == number { return unsafe result(frame.pointee) }
    }
  }

  private func result(_ frame: AVFrame) -> DecodedPicture {
    let isFlawed =
      unsafe frame.decode_error_flags != 0 || frame.flags & AV_FRAME_FLAG_CORRUPT != 0
    if isFlawed { return .damaged }
    let format = unsafe AVPixelFormat(frame.format)
    guard format == AV_PIX_FMT_YUV420P || format == AV_PIX_FMT_YUVJ420P else {
      let name = unsafe av_get_pix_fmt_name(format).map { unsafe String(cString: $0) }
      return .unreadable(name ?? "an unknown format")
    }
    let isFull = unsafe format == AV_PIX_FMT_YUVJ420P || frame.color_range == AVCOL_RANGE_JPEG
    let matrix: ImageLayout.Matrix =
      switch unsafe frame.colorspace {
      case AVCOL_SPC_BT709: .bt709
      case AVCOL_SPC_UNSPECIFIED: self.matrix
      default: .bt601
      }
    let layout = unsafe try? ImageLayout(
      size: ImageSize(width: Int(frame.width), height: Int(frame.height)), pixelFormat: .yu12,
      range: isFull ? .full : .limited, matrix: matrix)
    guard let layout else { return .damaged }
    let strides = unsafe [frame.linesize.0, frame.linesize.1, frame.linesize.2]
    let hasRows = zip(layout.planes, strides).allSatisfy { $0.rowLength <= Int($1) }
    return hasRows ? .pixels(layout) : .damaged
  }

  func withPlane<R>(_ index: Int, _ body: (RawSpan, _ stride: Int) -> R) -> R {
    guard let frame = unsafe frame else { return body(RawSpan(), 0) }
    let (data, strides) = unsafe (frame.pointee.data, frame.pointee.linesize)
    let height = unsafe Int(frame.pointee.height)
    let plane = unsafe [
      (data.0, strides.0, height), (data.1, strides.1, (height + 1) / 2),
      (data.2, strides.2, (height + 1) / 2),
    ][index]
    let rows = unsafe UnsafeRawBufferPointer(start: plane.0, count: Int(plane.1) * plane.2)
    return body(unsafe RawSpan(_unsafeBytes: rows), unsafe Int(plane.1))
  }

  func reset() {
    // After a damaged picture the same decoder makes other pixels of later ones, also flushed
    // (libavcodec 59, H.264).
    unsafe avcodec_free_context(&context)
    if !open() { unsafe avcodec_free_context(&context) }
  }

  private func release() {
    unsafe av_packet_free(&packet)
    unsafe av_frame_free(&frame)
    unsafe avcodec_free_context(&context)
  }
}
