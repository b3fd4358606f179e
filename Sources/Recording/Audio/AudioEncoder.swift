import CFFmpeg
import Capture

/// Codes sound by libavcodec, after libswresample has brought it to the encoder's rate. Used on one
/// thread.
///
/// What goes in has times. A drift between these and the rate is corrected by making the sound a
/// little longer or shorter, at most by half a hundredth; what is missing becomes silence, and what
/// overlaps is dropped.
@safe final class AudioEncoder {
  /// Both codecs have it.
  static let rate = 48_000
  /// How far sound may be from its time, and from which distance on it is moved at once, in
  /// seconds.
  static let tolerance = 0.001
  static let jump = 0.01

  let parameters: SoundParameters
  /// By how many samples the sound comes out of a decoder later than it went into the encoder.
  let priming: Int
  /// Samples in a coded piece.
  let frameSize: Int

  private let codec: SoundCodec
  private var context: UnsafeMutablePointer<AVCodecContext>?
  private var frame: UnsafeMutablePointer<AVFrame>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var converter: OpaquePointer?
  private var inputFormat: SoundFormat?
  /// How many samples had come out when the converter was made, which counts from there.
  private var base: Int64 = 0
  /// What was converted and is not enough for a piece.
  private var queue: OpaquePointer?
  private var converted: UnsafeMutablePointer<AVFrame>?
  /// Samples that came out of the converter, and that went into the encoder.
  private var convertedCount: Int64 = 0
  private var codedCount: Int64 = 0

  /// - Throws: `notEncodable` if libavcodec has no such encoder.
  init(_ settings: SoundSettings, channels: Int) throws(RecordingError) {
    _ = MovieWriter.quiet
    codec = settings.codec
    let failure = RecordingError(
      .notEncodable,
      "no encoder makes \(codec.encoder) of \(channels) channels: record another codec")
    guard let coder = unsafe avcodec_find_encoder_by_name(codec.encoder),
      let context = unsafe avcodec_alloc_context3(coder)
    else { throw failure }
    unsafe av_channel_layout_default(&context.pointee.ch_layout, Int32(channels))
    unsafe context.pointee.sample_rate = Int32(Self.rate)
    unsafe context.pointee.sample_fmt = coder.pointee.sample_fmts?.pointee ?? AV_SAMPLE_FMT_S16
    unsafe context.pointee.bit_rate = Int64(settings.bitRate ?? 64_000 * channels)
    unsafe context.pointee.time_base = AVRational(num: 1, den: Int32(Self.rate))
    unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
    guard unsafe avcodec_open2(context, coder, nil) >= 0, unsafe context.pointee.frame_size > 0,
      let parameters = unsafe SoundParameters(of: context, codec)
    else {
      var open: UnsafeMutablePointer<AVCodecContext>? = unsafe context
      unsafe avcodec_free_context(&open)
      throw failure
    }
    self.parameters = parameters
    priming = unsafe Int(context.pointee.initial_padding)
    frameSize = unsafe Int(context.pointee.frame_size)
    unsafe self.context = context
    unsafe packet = av_packet_alloc()
    unsafe queue = av_audio_fifo_alloc(
      context.pointee.sample_fmt, Int32(channels), Int32(frameSize * 4))
    unsafe frame = audioFrame(frameSize)
    unsafe converted = audioFrame(Self.rate / 4)
    guard unsafe packet != nil && queue != nil && frame != nil && converted != nil else {
      throw RecordingError(.notEncodable, "there is no memory for a movie's sound")
    }
  }

  deinit {
    unsafe swr_free(&converter)
    unsafe av_audio_fifo_free(queue)
    unsafe av_frame_free(&frame)
    unsafe av_frame_free(&converted)
    unsafe av_packet_free(&packet)
    unsafe avcodec_free_context(&context)
  }

  /// Takes sound.
  /// - Parameters:
  ///   - time: When its first sample belongs, in nanoseconds since the first sample of all.
  ///   - give: Called with each piece that is ready: its bytes and the number of its first sample,
  ///     after a decoder.
  func take(
    _ samples: [Int16], _ format: SoundFormat, at time: Int64, give: (RawSpan, Int64) -> Void
  ) throws(RecordingError) {
    let converter = try unsafe converter(for: format)
    // The unit is the inverse of both rates.
    let place = Double(time) / 1e9 * Double(Self.rate) - Double(base)
    unsafe swr_next_pts(converter, Int64((place * Double(format.rate)).rounded()))
    let count = samples.count / format.channels
    try unsafe samples.span.bytes.withUnsafeBytes { (bytes) throws(RecordingError) in
      var input = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
      try unsafe convert(converter, &input, count)
    }
    try code(all: false, give)
  }

  /// Codes what is left.
  func finish(give: (RawSpan, Int64) -> Void) throws(RecordingError) {
    if let converter = unsafe converter {
      try unsafe convert(converter, nil, 0)
    }
    try code(all: true, give)
    try check(unsafe avcodec_send_frame(context, nil))
    try receive(give)
  }

  /// - Parameter input: Nil at the end: then libswresample gives what it holds back.
  private func convert(
    _ converter: OpaquePointer, _ input: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int
  ) throws(RecordingError) {
    guard let converted = unsafe converted else { return }
    var left = Int32(count)
    while true {
      let room = unsafe converted.pointee.nb_samples
      let made = unsafe swr_convert(converter, converted.pointee.extended_data, room, input, left)
      try check(made)
      convertedCount += Int64(made)
      let data = unsafe UnsafeMutableRawPointer(converted.pointee.extended_data)?
        .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
      try check(unsafe av_audio_fifo_write(queue, data, made))
      // What had no room comes with the next call.
      guard made == room else { return }
      left = 0
    }
  }

  /// The converter for a format. A new one goes on where the one before has stopped.
  private func converter(for format: SoundFormat) throws(RecordingError) -> OpaquePointer {
    if let converter = unsafe converter, inputFormat == format { return unsafe converter }
    unsafe swr_free(&converter)
    guard let context = unsafe context else { throw failed(0) }
    var layout = unsafe AVChannelLayout()
    unsafe av_channel_layout_default(&layout, Int32(format.channels))
    try check(
      unsafe swr_alloc_set_opts2(
        &converter, &context.pointee.ch_layout, context.pointee.sample_fmt, Int32(Self.rate),
        &layout, AV_SAMPLE_FMT_S16, Int32(format.rate), 0, nil))
    guard let new = unsafe converter else { throw failed(0) }
    let object = unsafe UnsafeMutableRawPointer(new)
    // Also where the rates are the same, because they are only nearly so.
    unsafe av_opt_set_int(object, "flags", Int64(SWR_FLAG_RESAMPLE), 0)
    unsafe av_opt_set_int(object, "first_pts", 0, 0)
    unsafe av_opt_set_double(object, "min_comp", Self.tolerance, 0)
    unsafe av_opt_set_double(object, "min_hard_comp", Self.jump, 0)
    unsafe av_opt_set_double(object, "comp_duration", 1, 0)
    unsafe av_opt_set_double(object, "max_soft_comp", 0.005, 0)
    try check(unsafe swr_init(new))
    inputFormat = format
    base = convertedCount
    return unsafe new
  }

  /// Codes whole pieces, and at the end a shorter one.
  private func code(all: Bool, _ give: (RawSpan, Int64) -> Void) throws(RecordingError) {
    guard let frame = unsafe frame else { return }
    while true {
      let waiting = unsafe Int(av_audio_fifo_size(queue))
      let count = min(waiting, frameSize)
      guard count == frameSize || (all && count > 0) else { return }
      unsafe frame.pointee.nb_samples = Int32(frameSize)
      try check(unsafe av_frame_make_writable(frame))
      let data = unsafe UnsafeMutableRawPointer(frame.pointee.extended_data)?
        .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
      try check(unsafe av_audio_fifo_read(queue, data, Int32(count)))
      unsafe frame.pointee.nb_samples = Int32(count)
      unsafe frame.pointee.pts = codedCount
      codedCount += Int64(count)
      try check(unsafe avcodec_send_frame(context, frame))
      try receive(give)
    }
  }

  private func receive(_ give: (RawSpan, Int64) -> Void) throws(RecordingError) {
    guard let packet = unsafe packet else { return }
    while true {
      let status = unsafe avcodec_receive_packet(context, packet)
      if status == CFFmpeg_error(EAGAIN) || status == CFFmpeg_endOfFile { return }
      try check(status)
      defer { unsafe av_packet_unref(packet) }
      let bytes = unsafe UnsafeRawBufferPointer(
        start: packet.pointee.data, count: Int(packet.pointee.size))
      // Before the first sample lies the priming.
      give(unsafe RawSpan(_unsafeBytes: bytes), unsafe packet.pointee.pts)
    }
  }

  private func audioFrame(_ count: Int) -> UnsafeMutablePointer<AVFrame>? {
    guard let context = unsafe context, let frame = unsafe av_frame_alloc() else { return nil }
    unsafe frame.pointee.nb_samples = Int32(count)
    unsafe frame.pointee.format = context.pointee.sample_fmt.rawValue
    unsafe frame.pointee.sample_rate = Int32(Self.rate)
    unsafe av_channel_layout_copy(&frame.pointee.ch_layout, &context.pointee.ch_layout)
    guard unsafe av_frame_get_buffer(frame, 0) >= 0 else {
      var open: UnsafeMutablePointer<AVFrame>? = unsafe frame
      unsafe av_frame_free(&open)
      return nil
    }
    return unsafe frame
  }

  private func check(_ status: Int32) throws(RecordingError) {
    if status < 0 { throw failed(status) }
  }

  private func failed(_ status: Int32) -> RecordingError {
    RecordingError(
      .notEncodable,
      "the encoder \(codec.encoder) failed with sound (\(RecordingError.text(status)))")
  }
}
