import CFFmpeg
import Glibc
package import Imaging
import OperatingSystem

/// Writes coded pictures with their times into a movie file. Blocks on the disk. Used on one
/// thread.
///
/// Times are kept to a millisecond in Matroska and to a microsecond in MP4, rounded to the nearest.
/// If a picture's is then not after that of the one before, because both fall into one step or a
/// clock went back, it becomes one step after it.
///
/// In Matroska each picture is a cluster of its own, and the kernel has it before
/// ``append(_:at:stamp:isKey:)`` returns. In MP4 it has whole fragments, of half a second each. So
/// a file that is cut off has everything before the cut, but for the last half second of an MP4;
/// ``UnfinishedMovie`` completes such a file.
@safe package final class MovieWriter {
  /// How much a file has.
  package struct Extent: Hashable, Sendable {
    package var frameCount = 0
    /// Bytes of all pictures.
    package var byteCount = 0
    /// From the first picture to the last.
    package var duration = Duration.zero
  }

  package let path: String
  package let size: ImageSize
  package let format: MovieFormat
  /// What was appended.
  package private(set) var extent = Extent()
  /// What of it a file that is cut off now would have.
  package private(set) var keptExtent = Extent()

  private var context: UnsafeMutablePointer<AVFormatContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var lastTick: Int64 = -1
  private let hasSound: Bool
  private var lastSoundTick: Int64 = -1
  /// When the fragment begins that is not written yet; nil if there is none.
  private var fragmentStart: Int64?
  /// The offset in the file at which the last complete picture or fragment ends.
  private var end: Int64 = 0
  /// How long a picture is shown at the nominal rate. Only the last one needs it.
  private let frameTicks: Int64
  /// A picture with its remark.
  private var remarked: [UInt8] = []

  /// Creates the file and writes its header.
  /// - Parameters:
  ///   - createdAt: The first frame's wall clock, nanoseconds since 1970.
  ///   - title: The title that players show: the camera's name.
  ///   - framesPerSecond: The nominal rate, for players; nil if it is not known.
  ///   - first: The first frame's exact time, which the file's tags then say; nil if it is not
  ///     known.
  ///   - parameters: What decoders need before the first picture, as ``AccessUnit`` finds it or as
  ///     a container has it.
  ///   - sound: The movie's sound; nil if it has none.
  /// - Throws: `storageFull`, `storageFailed`, `muxerFailed`.
  package init(
    path: String,
    size: ImageSize,
    createdAt: Int64,
    title: String,
    framesPerSecond: Double?,
    first: MovieFrameStamp? = nil,
    format: MovieFormat = MovieFormat(),
    parameters: [UInt8] = [],
    sound: SoundParameters? = nil
  ) throws(RecordingError) {
    self.path = path
    hasSound = sound != nil
    self.size = size
    self.format = format
    let ticks = Double(format.container.ticksPerSecond)
    frameTicks = framesPerSecond.map { Int64((ticks / max($0, 0.001)).rounded()) } ?? 0
    _ = Self.quiet
    let opened = unsafe avformat_alloc_output_context2(
      &context, nil, format.container.muxer, path)
    guard opened >= 0, let context = unsafe context,
      let stream = unsafe avformat_new_stream(context, nil)
    else {
      throw RecordingError(
        .muxerFailed, "libavformat has no muxer for \(format.container): install libavformat")
    }
    unsafe packet = av_packet_alloc()
    unsafe Self.describe(stream, format, size: size, framesPerSecond: framesPerSecond)
    try unsafe Self.set(parameters, of: stream)
    if let sound {
      guard let stream = unsafe avformat_new_stream(context, nil), unsafe sound.put(into: stream)
      else { throw RecordingError(.muxerFailed, "there is no memory for a movie's sound") }
    }
    unsafe av_dict_set(&context.pointee.metadata, "title", title, 0)
    let time = CalendarTime(max(0, createdAt)).text(fractionDigits: 6)
    unsafe av_dict_set(&context.pointee.metadata, "creation_time", time, 0)
    if let first {
      for (tag, value) in [
        ("CAMERABUS_MONOTONIC_NS", first.monotonic), ("CAMERABUS_WALL_NS", first.wall),
      ] {
        unsafe av_dict_set(&context.pointee.metadata, tag, String(value), 0)
      }
    }
    unsafe context.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
    try check(unsafe avio_open(&context.pointee.pb, path, AVIO_FLAG_WRITE))
    var options = unsafe Self.options(format.container)
    defer { unsafe av_dict_free(&options) }
    try check(unsafe avformat_write_header(context, &options))
    end = unsafe avio_tell(context.pointee.pb)
  }

  deinit {
    release()
  }

  /// Appends one picture.
  /// - Parameters:
  ///   - time: Nanoseconds since the first frame.
  ///   - stamp: The frame's number and exact time, which the movie then has too.
  ///   - isKey: Whether a decoder can begin with it.
  /// - Throws: `storageFull` or `storageFailed` when the picture cannot be written: call
  ///   ``finish()`` then, to keep those before it. `muxerFailed` after ``finish()``.
  package func append(
    _ picture: RawSpan, at time: Int64, stamp: MovieFrameStamp? = nil, isKey: Bool = true
  ) throws(RecordingError) {
    guard let context = unsafe context, let packet = unsafe packet else {
      throw RecordingError(.muxerFailed, "the movie \(path) is closed: begin another one")
    }
    let step = 1_000_000_000 / format.container.ticksPerSecond
    let tick = max(lastTick + 1, (max(0, time) + step / 2) / step)
    // A key picture begins a fragment, so that players can begin there.
    if isKey { try endFragment(at: tick, of: format.container.ticksPerSecond / 4) }
    let inPicture = format.container == .mp4 ? stamp : nil
    let status = unsafe withRemark(inPicture, picture) { bytes in
      unsafe av_packet_unref(packet)
      // The bytes are borrowed for the call: av_write_frame does not change them, and copies what
      // it keeps.
      unsafe packet.pointee.data = UnsafeMutablePointer(
        mutating: bytes.bindMemory(to: UInt8.self).baseAddress
      )
      unsafe packet.pointee.size = Int32(bytes.count)
      unsafe packet.pointee.pts = tick
      unsafe packet.pointee.dts = tick
      unsafe packet.pointee.duration = frameTicks
      unsafe packet.pointee.flags = isKey ? AV_PKT_FLAG_KEY : 0
      if let stamp, format.container == .matroska { unsafe Self.attach(stamp, to: packet) }
      defer { unsafe packet.pointee.data = nil }
      return unsafe av_write_frame(context, packet)
    }
    try check(status)
    lastTick = tick
    extent.frameCount += 1
    extent.byteCount += picture.byteCount
    extent.duration = max(extent.duration, .nanoseconds(time))
    switch format.container {
    case .matroska: try flush()
    case .mp4:
      fragmentStart = fragmentStart ?? tick
      // The next picture would come too late.
      try endFragment(at: tick + frameTicks, of: format.container.ticksPerSecond / 2)
    }
  }

  /// Appends a piece of sound, after the one before. It is in the file with the next picture.
  /// - Throws: As ``append(_:at:stamp:isKey:)``.
  func append(_ sound: SoundUnit) throws(RecordingError) {
    guard let context = unsafe context, let packet = unsafe packet, hasSound,
      let stream = unsafe context.pointee.streams[1]
    else { throw RecordingError(.muxerFailed, "the movie \(path) is closed or has no sound") }
    let (nanoseconds, base) = unsafe (
      AVRational(num: 1, den: 1_000_000_000), stream.pointee.time_base
    )
    let tick = max(lastSoundTick + 1, av_rescale_q(sound.time, nanoseconds, base))
    let status = unsafe sound.bytes.withUnsafeBytes { bytes in
      unsafe av_packet_unref(packet)
      // Borrowed for the call, as a picture's bytes are.
      unsafe packet.pointee.data = UnsafeMutablePointer(
        mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
      unsafe packet.pointee.size = Int32(bytes.count)
      unsafe packet.pointee.stream_index = 1
      unsafe packet.pointee.pts = tick
      unsafe packet.pointee.dts = tick
      unsafe packet.pointee.duration = av_rescale_q(sound.duration, nanoseconds, base)
      unsafe packet.pointee.flags = AV_PKT_FLAG_KEY
      defer { unsafe packet.pointee.data = nil }
      return unsafe av_write_frame(context, packet)
    }
    unsafe packet.pointee.stream_index = 0
    try check(status)
    lastSoundTick = tick
  }

  /// Writes the fragment to the file if it is so long at a moment.
  private func endFragment(at tick: Int64, of length: Int64) throws(RecordingError) {
    guard let start = fragmentStart, tick - start >= length else { return }
    fragmentStart = nil
    try flush()
  }

  /// Writes what was appended to the file.
  private func flush() throws(RecordingError) {
    guard let context = unsafe context else { return }
    // A call without a packet ends the cluster or the fragment.
    try check(unsafe av_write_frame(context, nil))
    if format.container == .mp4 {
      // Else the next fragment would begin where the nominal rate lets this one end.
      unsafe av_opt_set(context.pointee.priv_data, "movflags", "+frag_discont", 0)
    }
    try check(unsafe context.pointee.pb.pointee.error)
    end = unsafe avio_tell(context.pointee.pb)
    keptExtent = extent
  }

  /// Writes the index, closes the file and waits until it is on the disk. A second call does
  /// nothing.
  /// - Throws: `storageFull`, `storageFailed`. The file is closed then too, and has ``keptExtent``.
  ///   It can be played, but has no index for seeking.
  package func finish() throws(RecordingError) {
    guard let context = unsafe context else { return }
    let status = unsafe av_write_trailer(context)
    let error = unsafe context.pointee.pb.pointee.error
    release()
    do throws(RecordingError) {
      try check(status)
      try check(error)
    } catch {
      unsafe truncate(path, off_t(end))
      throw error
    }
    keptExtent = extent
    try Disk.synchronize(path)
  }

  /// Silences libavformat and libavcodec, which would print to stderr. Their calls return the
  /// errors that matter.
  static let quiet: Void = av_log_set_level(AV_LOG_QUIET)

  private static func options(_ container: MovieContainer) -> OpaquePointer? {
    var options: OpaquePointer?
    guard container == .mp4 else { return nil }
    // The header is written at once, and each fragment stands for itself.
    unsafe av_dict_set(&options, "movflags", "empty_moov+default_base_moof+frag_custom", 0)
    return unsafe options
  }

  private static func describe(
    _ stream: UnsafeMutablePointer<AVStream>,
    _ format: MovieFormat,
    size: ImageSize,
    framesPerSecond: Double?
  ) {
    unsafe stream.pointee.time_base = AVRational(
      num: 1, den: Int32(format.container.ticksPerSecond))
    if let framesPerSecond {
      let rate = av_d2q(framesPerSecond, 1001)
      unsafe stream.pointee.avg_frame_rate = rate
      unsafe stream.pointee.r_frame_rate = rate
    }
    guard let parameters = unsafe stream.pointee.codecpar else { return }
    unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    unsafe parameters.pointee.codec_id = format.codec.id
    unsafe parameters.pointee.width = Int32(size.width)
    unsafe parameters.pointee.height = Int32(size.height)
    guard format.codec == .mjpeg else { return }
    unsafe parameters.pointee.color_range = AVCOL_RANGE_JPEG
    unsafe parameters.pointee.color_space = AVCOL_SPC_BT470BG
  }

  private static func set(
    _ bytes: [UInt8], of stream: UnsafeMutablePointer<AVStream>
  ) throws(RecordingError) {
    guard !bytes.isEmpty, let parameters = unsafe stream.pointee.codecpar else { return }
    // libavcodec reads in words, and frees the memory.
    let padding = Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let memory = unsafe av_mallocz(bytes.count + padding) else {
      throw RecordingError(.muxerFailed, "there is no memory for a movie's parameters")
    }
    unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
    unsafe parameters.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
    unsafe parameters.pointee.extradata_size = Int32(bytes.count)
  }

  /// Lends the picture's bytes, with the stamp before its first slice if there is one.
  private func withRemark<R>(
    _ stamp: MovieFrameStamp?, _ picture: RawSpan, _ body: (UnsafeRawBufferPointer) -> R
  ) -> R {
    unsafe picture.withUnsafeBytes { bytes in
      guard let stamp, let unit = format.codec.standard.flatMap({ AccessUnit(picture, $0) }),
        let place = unit.placeOfRemarks(in: picture)
      else { return unsafe body(bytes) }
      remarked.removeAll(keepingCapacity: true)
      unsafe remarked.append(contentsOf: bytes[..<place])
      FrameStampRemark.append(stamp, to: &remarked)
      unsafe remarked.append(contentsOf: bytes[place...])
      return unsafe remarked.withUnsafeBytes { unsafe body($0) }
    }
  }

  /// Adds the stamp as the frame's `BlockAdditional`. Without memory the frame has none.
  private static func attach(_ stamp: MovieFrameStamp, to packet: UnsafeMutablePointer<AVPacket>) {
    // libavformat wants the number of the addition first. The first is free for any use.
    let bytes = unsafe av_packet_new_side_data(
      packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, 8 + MovieFrameStamp.byteCount)
    guard let bytes = unsafe bytes else { return }
    for index in 0..<8 { unsafe bytes[index] = index == 7 ? 1 : 0 }
    stamp.forEachByte { index, byte in unsafe bytes[8 + index] = byte }
  }

  private func check(_ status: Int32) throws(RecordingError) {
    if status < 0 { throw RecordingError(status: status, path: path) }
  }

  private func release() {
    unsafe av_packet_free(&packet)
    guard let open = unsafe context else { return }
    unsafe avio_closep(&open.pointee.pb)
    unsafe avformat_free_context(open)
    unsafe context = nil
  }
}
