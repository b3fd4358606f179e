import CFFmpeg
import Glibc
package import Imaging
import OperatingSystem

/// Writes JPEGs with their times into a Matroska file. Blocks on the disk. Used on one thread.
///
/// Times are whole milliseconds, because libavformat fixes Matroska's `TimestampScale` at 1 ms. A
/// frame's time is rounded to the nearest millisecond. If it is then not after the previous
/// frame's, because both fall into one millisecond or a clock went back, it becomes 1 ms after it.
///
/// Each frame is a cluster of its own, and the kernel has it before ``append(_:at:)`` returns. So a
/// file that is cut off has all frames before the cut; ``UnfinishedMovie`` completes such a file.
@safe package final class MovieWriter {
  package let path: String
  package let size: ImageSize
  package private(set) var frameCount = 0
  /// Bytes of all frames.
  package private(set) var byteCount = 0
  /// From the first frame to the last.
  package private(set) var duration = Duration.zero

  private var context: UnsafeMutablePointer<AVFormatContext>?
  private var packet: UnsafeMutablePointer<AVPacket>?
  private var lastMillisecond: Int64 = -1
  /// The offset in the file at which the last complete frame ends.
  private var end: Int64 = 0
  /// How long a frame is shown at the nominal rate. Only the last frame needs it.
  private let frameMilliseconds: Int64

  /// Creates the file and writes its header.
  /// - Parameters:
  ///   - createdAt: The first frame's wall clock, nanoseconds since 1970.
  ///   - title: The title that players show: the camera's name.
  ///   - framesPerSecond: The nominal rate, for players; nil if it is not known.
  ///   - first: The first frame's exact time, which the file's tags then say; nil if it is not
  ///     known.
  /// - Throws: `storageFull`, `storageFailed`, `muxerFailed`.
  package init(
    path: String,
    size: ImageSize,
    createdAt: Int64,
    title: String,
    framesPerSecond: Double?,
    first: MovieFrameStamp? = nil
  ) throws(RecordingError) {
    self.path = path
    self.size = size
    frameMilliseconds = framesPerSecond.map { Int64((1000 / max($0, 0.001)).rounded()) } ?? 0
    _ = Self.quiet
    let opened = unsafe avformat_alloc_output_context2(&context, nil, "matroska", path)
    guard opened >= 0, let context = unsafe context,
      let stream = unsafe avformat_new_stream(context, nil)
    else {
      throw RecordingError(.muxerFailed, "libavformat has no Matroska muxer: install libavformat")
    }
    unsafe packet = av_packet_alloc()
    unsafe Self.describe(stream, size: size, framesPerSecond: framesPerSecond)
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
    try check(unsafe avformat_write_header(context, nil))
    end = unsafe avio_tell(context.pointee.pb)
  }

  deinit {
    release()
  }

  /// Appends one JPEG.
  /// - Parameters:
  ///   - time: Nanoseconds since the first frame.
  ///   - stamp: The frame's number and exact time, which the movie then has too.
  /// - Throws: `storageFull` or `storageFailed` when the frame cannot be written: call ``finish()``
  ///   then, to keep the frames before it. `muxerFailed` after ``finish()``.
  package func append(
    _ jpeg: RawSpan, at time: Int64, stamp: MovieFrameStamp? = nil
  ) throws(RecordingError) {
    guard let context = unsafe context, let packet = unsafe packet else {
      throw RecordingError(.muxerFailed, "the movie \(path) is closed: begin another one")
    }
    let millisecond = max(lastMillisecond + 1, (max(0, time) + 500_000) / 1_000_000)
    let status = unsafe jpeg.withUnsafeBytes { bytes in
      unsafe av_packet_unref(packet)
      // The bytes are borrowed for the call: av_write_frame does not change them, and copies what
      // it keeps.
      unsafe packet.pointee.data = UnsafeMutablePointer(
        mutating: bytes.bindMemory(to: UInt8.self).baseAddress
      )
      unsafe packet.pointee.size = Int32(bytes.count)
      unsafe packet.pointee.pts = millisecond
      unsafe packet.pointee.dts = millisecond
      unsafe packet.pointee.duration = frameMilliseconds
      unsafe packet.pointee.flags = AV_PKT_FLAG_KEY
      if let stamp { unsafe Self.attach(stamp, to: packet) }
      defer { unsafe packet.pointee.data = nil }
      return unsafe av_write_frame(context, packet)
    }
    try check(status)
    // A call without a packet ends the cluster and writes it to the file.
    try check(unsafe av_write_frame(context, nil))
    try check(unsafe context.pointee.pb.pointee.error)
    end = unsafe avio_tell(context.pointee.pb)
    lastMillisecond = millisecond
    frameCount += 1
    byteCount += jpeg.byteCount
    duration = max(duration, .nanoseconds(time))
  }

  /// Writes the index, closes the file and waits until it is on the disk. A second call does
  /// nothing.
  /// - Throws: `storageFull`, `storageFailed`. The file is closed then too, and ends with its last
  ///   complete frame. It can be played, but has no index for seeking.
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
    try Disk.synchronize(path)
  }

  /// Silences libavformat, which would print to stderr. Its calls return the errors that matter.
  static let quiet: Void = av_log_set_level(AV_LOG_QUIET)

  private static func describe(
    _ stream: UnsafeMutablePointer<AVStream>,
    size: ImageSize,
    framesPerSecond: Double?
  ) {
    unsafe stream.pointee.time_base = AVRational(num: 1, den: 1000)
    if let framesPerSecond {
      let rate = av_d2q(framesPerSecond, 1001)
      unsafe stream.pointee.avg_frame_rate = rate
      unsafe stream.pointee.r_frame_rate = rate
    }
    guard let parameters = unsafe stream.pointee.codecpar else { return }
    unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    unsafe parameters.pointee.codec_id = AV_CODEC_ID_MJPEG
    unsafe parameters.pointee.width = Int32(size.width)
    unsafe parameters.pointee.height = Int32(size.height)
    unsafe parameters.pointee.color_range = AVCOL_RANGE_JPEG
    unsafe parameters.pointee.color_space = AVCOL_SPC_BT470BG
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
