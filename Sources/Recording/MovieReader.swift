import CFFmpeg
import Imaging

/// Reads all complete pictures of a movie that ``MovieWriter`` wrote, wherever the file is cut off.
///
/// Blocks on the disk. Used on one thread.
@safe final class MovieReader {
  /// A picture of a movie.
  struct Picture: ~Escapable {
    let bytes: RawSpan
    /// Nanoseconds since the first one.
    let time: Int64
    let stamp: MovieFrameStamp?
    /// Whether a decoder can begin with it.
    let isKey: Bool
    /// Where it is in the file.
    let place: Int64

    @_lifetime(copy bytes)
    fileprivate init(
      _ bytes: RawSpan, time: Int64, stamp: MovieFrameStamp?, isKey: Bool, place: Int64
    ) {
      self.bytes = bytes
      self.time = time
      self.stamp = stamp
      self.isKey = isKey
      self.place = place
    }
  }

  let format: MovieFormat
  let size: ImageSize
  /// What decoders need before the first picture, as the file has it.
  let parameters: [UInt8]
  let title: String
  /// Where the first picture is that is damaged and that later ones need; nil if none was met.
  private(set) var damagedPlace: Int?
  /// The first frame's wall clock, nanoseconds since 1970.
  let createdAt: Int64
  let framesPerSecond: Double?
  /// Nil for a movie without sound.
  let sound: SoundParameters?

  private let path: String
  /// The steps of the file's times, in a second.
  private let ticksPerSecond: Int64
  private var file: UnsafeMutablePointer<AVIOContext>?
  private var context: UnsafeMutablePointer<AVFormatContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?

  /// Reads the file's header; nil when the file does not begin like such a movie.
  /// - Throws: `storageFailed` when the file cannot be read.
  init?(path: String) throws(RecordingError) {
    self.path = path
    _ = MovieWriter.quiet
    let status = unsafe avio_open(&file, path, AVIO_FLAG_READ)
    guard status >= 0 else { throw RecordingError(status: status, path: path) }
    unsafe context = avformat_alloc_context()
    unsafe context?.pointee.pb = file
    // Return packets as they are in the file. libavformat must not parse them or fill in values.
    unsafe context?.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
    // On failure this call frees the context, but not the file.
    let container = try MovieContainer(ofFileAt: path)
    let opened = unsafe avformat_open_input(
      &context, nil, av_find_input_format(container.muxer), nil)
    guard opened >= 0, let context = unsafe context, unsafe 1...2 ~= context.pointee.nb_streams,
      let stream = unsafe context.pointee.streams[0],
      let parameters = unsafe stream.pointee.codecpar,
      let codec = unsafe VideoCodec(parameters.pointee.codec_id),
      unsafe stream.pointee.time_base.num == 1, unsafe stream.pointee.time_base.den > 0
    else {
      let error = unsafe file?.pointee.error ?? 0
      size = ImageSize(width: 0, height: 0)
      (title, createdAt, framesPerSecond) = ("", 0, nil)
      (format, self.parameters, ticksPerSecond, sound) = (MovieFormat(), [], 1, nil)
      release()
      if error < 0 { throw RecordingError(status: error, path: path) }
      return nil
    }
    unsafe packet = av_packet_alloc()
    format = MovieFormat(container, codec)
    unsafe ticksPerSecond = Int64(stream.pointee.time_base.den)
    unsafe sound =
      context.pointee.nb_streams < 2
      ? nil
      : context.pointee.streams[1]?.pointee.codecpar.flatMap { unsafe SoundParameters(copying: $0) }
    let extradata = unsafe UnsafeBufferPointer(
      start: parameters.pointee.extradata, count: Int(max(0, parameters.pointee.extradata_size)))
    unsafe self.parameters = Array(extradata)
    unsafe size = ImageSize(
      width: Int(parameters.pointee.width), height: Int(parameters.pointee.height))
    let rate = unsafe stream.pointee.avg_frame_rate
    framesPerSecond = rate.num > 0 && rate.den > 0 ? av_q2d(rate) : nil
    title = unsafe Self.text("title", of: context) ?? ""
    var microseconds: Int64 = 0
    if let time = unsafe Self.text("creation_time", of: context) {
      unsafe av_parse_time(&microseconds, time, 0)
    }
    // A damaged file may have any time.
    createdAt = Self.nanoseconds(microseconds, of: 1000) ?? 0
  }

  deinit {
    release()
  }

  /// Calls `body` with the next complete picture, or `sound` with the next piece of sound.
  /// - Returns: False when there are no more.
  /// - Throws: What `body` and `sound` throw; `storageFailed` when the file cannot be read.
  func withNextFrame(
    _ body: (borrowing Picture) throws(RecordingError) -> Void,
    sound: (SoundUnit) throws(RecordingError) -> Void = { _ in }
  ) throws(RecordingError) -> Bool {
    guard let context = unsafe context, let packet = unsafe packet else { return false }
    while unsafe av_read_frame(context, packet) >= 0 {
      defer { unsafe av_packet_unref(packet) }
      let bytes = unsafe UnsafeRawBufferPointer(
        start: packet.pointee.data, count: Int(packet.pointee.size))
      let picture = unsafe bytes.bytes
      if unsafe packet.pointee.stream_index == 1 {
        // No piece is all zeros, but for one that did not reach the disk.
        guard let unit = unsafe soundUnit(packet, bytes), unit.bytes.contains(where: { $0 != 0 })
        else {
          if format.container == .mp4 {
            unsafe damagedPlace = Int(packet.pointee.pos)
            return false
          }
          continue
        }
        try sound(unit)
        return true
      }
      // Bytes that did not reach the disk before a power cut may read as zeros.
      guard isComplete(picture),
        let time = unsafe Self.nanoseconds(
          packet.pointee.pts, of: 1_000_000_000 / ticksPerSecond)
      else {
        // Those after it need it.
        if format.codec.hasDependentPictures {
          unsafe damagedPlace = Int(packet.pointee.pos)
          return false
        }
        continue
      }
      let stamp =
        format.container == .mp4
        ? FrameStampRemark.find(in: picture) : unsafe Self.stamp(of: packet)
      try body(
        Picture(
          picture, time: time, stamp: stamp,
          isKey: unsafe packet.pointee.flags & AV_PKT_FLAG_KEY != 0,
          place: unsafe packet.pointee.pos))
      return true
    }
    let error = unsafe file?.pointee.error ?? 0
    if error < 0 { throw RecordingError(status: error, path: path) }
    return false
  }

  /// - Returns: Nil at a time that no movie has.
  private func soundUnit(
    _ packet: UnsafeMutablePointer<AVPacket>, _ bytes: UnsafeRawBufferPointer
  ) -> SoundUnit? {
    guard let base = unsafe context?.pointee.streams[1]?.pointee.time_base, base.num > 0,
      base.den > 0
    else { return nil }
    let nanoseconds = AVRational(num: 1, den: 1_000_000_000)
    let time = unsafe av_rescale_q(packet.pointee.pts, base, nanoseconds)
    guard (0...Self.farthestTime).contains(time) else { return nil }
    return unsafe SoundUnit(
      bytes: Array(bytes), time: time,
      duration: max(0, av_rescale_q(packet.pointee.duration, base, nanoseconds)))
  }

  private func isComplete(_ picture: RawSpan) -> Bool {
    if format.codec.hasDependentPictures {
      return FrameStampRemark.forEachUnit(of: picture) { _ in }
    }
    if case .complete = JPEGIntegrity.check(picture) { return true }
    return false
  }

  /// A time that no movie has, more than a century away, in nanoseconds.
  static let farthestTime = Int64.max / 2

  /// Nil for a time that no movie has.
  private static func nanoseconds(_ count: Int64, of unit: Int64) -> Int64? {
    let (time, isTooFar) = count.multipliedReportingOverflow(by: unit)
    return isTooFar || time.magnitude > farthestTime.magnitude ? nil : time
  }

  private static func stamp(of packet: UnsafeMutablePointer<AVPacket>) -> MovieFrameStamp? {
    var count = 0
    let data = unsafe av_packet_get_side_data(
      packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &count)
    guard let data = unsafe data, count > 8 else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: data + 8, count: count - 8)
    return unsafe MovieFrameStamp(reading: bytes.bytes)
  }

  private static func text(
    _ key: String, of context: UnsafeMutablePointer<AVFormatContext>
  ) -> String? {
    guard let entry = unsafe av_dict_get(context.pointee.metadata, key, nil, 0) else { return nil }
    return unsafe String(cString: entry.pointee.value)
  }

  private func release() {
    unsafe av_packet_free(&packet)
    unsafe avformat_close_input(&context)
    unsafe avio_closep(&file)
  }
}
