import CALSA
package import Capture
package import EventLoop
import Glibc
import OperatingSystem

/// A microphone of the machine, by libasound.
package struct ALSAMicrophone: SoundDevice, Hashable {
  /// What libasound calls it, such as `hw:CARD=Device,DEV=0`, or the path of the card's control
  /// device, such as a link in `/dev/snd/by-id`.
  package let device: String

  package init(_ device: String) {
    self.device = device
  }

  package func open(
    on loop: EventLoop, onSound: @escaping (SoundChunk) -> Void,
    onEnd: @escaping (SoundError) -> Void
  ) throws(SoundError) -> any OpenSoundDevice {
    try OpenALSAMicrophone(self, on: loop, onSound, onEnd)
  }

  /// What libasound calls it. The path of a control device may lead to another card each time.
  /// - Throws: `disconnected` where the path leads to no sound card.
  func name() throws(SoundError) -> String {
    guard device.hasPrefix("/") else { return device }
    let path = unsafe realpath(device, nil)
    defer { unsafe free(path) }
    let target = unsafe path.map { unsafe String(cString: $0) } ?? ""
    let prefix = "/dev/snd/controlC"
    guard target.hasPrefix(prefix), let card = Int(target.dropFirst(prefix.count)) else {
      throw SoundError(
        .disconnected, "\(device) leads to no sound card: plug it in, or name another")
    }
    return "hw:CARD=\(card),DEV=0"
  }

  /// - Parameter status: A negative errno, as libasound returns it.
  func error(_ status: Int, _ operation: String) -> SoundError {
    switch Int32(clamping: -status) {
    case EBUSY:
      SoundError(
        .inUse,
        "another program has the microphone \(device): end it (fuser -v /dev/snd/* names it)")
    case ENODEV, ENOENT, ENXIO:
      SoundError(
        .disconnected,
        "there is no microphone \(device): plug it in, or name one that camctl microphones lists")
    case EACCES, EPERM:
      SoundError(
        .denied,
        "no permission for the microphone \(device): join the group audio with sudo usermod -aG audio $USER, then log in again"
      )
    default:
      SoundError(
        .failed,
        "the microphone \(device) cannot \(operation) (\(unsafe String(cString: snd_strerror(Int32(clamping: status)))))"
          + ": see the kernel's log (dmesg)")
    }
  }
}

@safe private final class OpenALSAMicrophone: OpenSoundDevice {
  /// How much sound the driver collects before it wakes the node, and how much it keeps while the
  /// node is late.
  private static let period = 0.02
  private static let buffer = 1.0
  /// A stamp that is older than that is none.
  private static let oldest = Duration.seconds(1)

  let format: SoundFormat
  private let microphone: ALSAMicrophone
  private let encoding: SampleEncoding
  /// The channels that the device has; the first two are taken.
  private let channels: Int
  private let loop: EventLoop
  private let onSound: (SoundChunk) -> Void
  private let onEnd: (SoundError) -> Void
  private var pcm: OpaquePointer?
  private var watches: [Watch] = []
  /// Samples of each channel that were read since the start, or since the last loss.
  private var count: Int64 = 0
  private var bytes: [UInt8]

  init(
    _ microphone: ALSAMicrophone, on loop: EventLoop, _ onSound: @escaping (SoundChunk) -> Void,
    _ onEnd: @escaping (SoundError) -> Void
  ) throws(SoundError) {
    self.microphone = microphone
    self.loop = loop
    self.onSound = onSound
    self.onEnd = onEnd
    calsa_silence()
    var pcm: OpaquePointer?
    let status = unsafe snd_pcm_open(
      &pcm, try microphone.name(), SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
    guard status >= 0, let pcm = unsafe pcm else {
      throw microphone.error(Int(min(status, -1)), "be opened")
    }
    do throws(SoundError) {
      (format, encoding, channels) = try unsafe Self.configure(pcm, microphone)
      bytes = [UInt8](repeating: 0, count: format.rate * channels * encoding.byteCount / 4)
      unsafe self.pcm = pcm
      try start()
      try watch()
    } catch {
      unsafe snd_pcm_close(pcm)
      throw error
    }
  }

  deinit { unsafe pcm.map { _ = unsafe snd_pcm_close($0) } }

  func close() {
    for watch in watches { watch.cancel() }
    watches = []
    guard let open = unsafe pcm else { return }
    unsafe pcm = nil
    unsafe snd_pcm_drop(open)
    unsafe snd_pcm_close(open)
  }

  // MARK: Opening

  /// Takes 48 kHz, one or two channels and 16 bits where the device has them, and else what is
  /// nearest.
  private static func configure(
    _ pcm: OpaquePointer, _ microphone: ALSAMicrophone
  ) throws(SoundError) -> (SoundFormat, SampleEncoding, Int) {
    func check(_ status: Int32, _ operation: String) throws(SoundError) {
      if status < 0 { throw microphone.error(Int(status), operation) }
    }
    var hardware: OpaquePointer?
    try unsafe check(snd_pcm_hw_params_malloc(&hardware), "be configured")
    defer { unsafe snd_pcm_hw_params_free(hardware) }
    try unsafe check(snd_pcm_hw_params_any(pcm, hardware), "be configured")
    try unsafe check(
      snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "be read")
    guard
      let encoding = SampleEncoding.allCases.first(where: {
        unsafe snd_pcm_hw_params_set_format(pcm, hardware, $0.format) >= 0
      })
    else {
      throw SoundError(
        .failed,
        "the microphone \(microphone.device) has no samples of 16, 24 or 32 bits: use another")
    }
    var (channels, rate): (UInt32, UInt32) = (2, 48_000)
    try unsafe check(snd_pcm_hw_params_set_channels_near(pcm, hardware, &channels), "be configured")
    try unsafe check(snd_pcm_hw_params_set_rate_near(pcm, hardware, &rate, nil), "be configured")
    guard (1...64).contains(channels), (4000...768_000).contains(rate) else {
      throw SoundError(
        .failed,
        "the microphone \(microphone.device) says \(channels) channels of \(rate) Hz: use another")
    }
    var buffer = UInt((Double(rate) * Self.buffer).rounded())
    var period = UInt((Double(rate) * Self.period).rounded())
    try unsafe check(
      snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer), "be configured")
    try unsafe check(
      snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, nil), "be configured")
    try unsafe check(snd_pcm_hw_params(pcm, hardware), "be configured")

    var software: OpaquePointer?
    try unsafe check(snd_pcm_sw_params_malloc(&software), "be configured")
    defer { unsafe snd_pcm_sw_params_free(software) }
    try unsafe check(snd_pcm_sw_params_current(pcm, software), "be configured")
    try unsafe check(snd_pcm_sw_params_set_avail_min(pcm, software, period), "be configured")
    try unsafe check(
      snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE), "stamp samples")
    try unsafe check(
      snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC),
      "stamp samples")
    try unsafe check(snd_pcm_sw_params(pcm, software), "be configured")
    let format = SoundFormat(rate: Int(rate), channels: Int(min(channels, 2)))
    return (format, encoding, Int(channels))
  }

  private func start() throws(SoundError) {
    guard let pcm = unsafe pcm else { return }
    let prepared = unsafe snd_pcm_prepare(pcm)
    let status = prepared < 0 ? prepared : unsafe snd_pcm_start(pcm)
    if status < 0 { throw microphone.error(Int(status), "be started") }
    count = 0
  }

  private func watch() throws(SoundError) {
    guard let pcm = unsafe pcm else { return }
    var descriptors = [pollfd](
      repeating: pollfd(), count: Int(max(0, min(16, unsafe snd_pcm_poll_descriptors_count(pcm)))))
    let filled = unsafe snd_pcm_poll_descriptors(pcm, &descriptors, UInt32(descriptors.count))
    guard filled > 0 else { throw microphone.error(Int(min(filled, -EIO)), "be waited for") }
    watches = descriptors.prefix(Int(filled)).map { descriptor in
      loop.watch(descriptor.fd, for: .readable) { [weak self] in self?.read() }
    }
  }

  // MARK: Reading

  private func read() {
    do throws(SoundError) {
      while try readChunk() {}
    } catch {
      fail(error)
    }
  }

  /// - Returns: Whether there may be more.
  private func readChunk() throws(SoundError) -> Bool {
    guard let pcm = unsafe pcm else { return false }
    var available: UInt = 0
    var time = timespec()
    let stamped = unsafe snd_pcm_htimestamp(pcm, &available, &time)
    guard stamped >= 0 else { return try recover(Int(stamped)) }
    // A driver without news does not move its stamp either.
    guard available > 0 else {
      switch unsafe snd_pcm_state(pcm) {
      case SND_PCM_STATE_RUNNING: break
      case SND_PCM_STATE_DISCONNECTED: throw microphone.error(-Int(ENODEV), "be read")
      // The driver has stopped it, as a loopback does for another format, and would wake the node
      // for ever.
      default: try start()
      }
      return false
    }
    let stamp = SoundChunk.Stamp(
      number: count + Int64(clamping: available), time: Self.believed(time))
    let room = bytes.count / (channels * encoding.byteCount)
    let read = unsafe bytes.withUnsafeMutableBytes {
      unsafe snd_pcm_readi(pcm, $0.baseAddress, min(available, UInt(room)))
    }
    if read == -Int(EAGAIN) { return false }
    guard read >= 0 else { return try recover(read) }
    guard read > 0, read <= room else { return false }
    let samples = encoding.samples(
      of: bytes, count: read, channels: channels, taking: format.channels)
    let first = count
    count += Int64(read)
    onSound(SoundChunk(samples: samples, first: first, stamp: stamp, isFirst: first == 0))
    return UInt(read) < available
  }

  /// The driver's stamp; now, if it cannot be right.
  private static func believed(_ time: timespec) -> MonotonicTime {
    let now = MonotonicTime.now
    let stamp = MonotonicTime(
      nanoseconds: Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
        &+ Int64(time.tv_nsec))
    return stamp <= now && now - stamp < oldest ? stamp : now
  }

  /// Starts again after samples were lost.
  private func recover(_ status: Int) throws(SoundError) -> Bool {
    guard status == -Int(EPIPE) || status == -Int(ESTRPIPE) else {
      throw microphone.error(status, "be read")
    }
    try start()
    return false
  }

  private func fail(_ error: SoundError) {
    guard unsafe pcm != nil else { return }
    close()
    onEnd(error)
  }
}

/// How a device writes samples, the best one for the node first.
enum SampleEncoding: CaseIterable {
  case bits16, bits32, bits24packed, bits24

  var format: snd_pcm_format_t {
    switch self {
    case .bits16: SND_PCM_FORMAT_S16_LE
    case .bits32: SND_PCM_FORMAT_S32_LE
    case .bits24packed: SND_PCM_FORMAT_S24_3LE
    case .bits24: SND_PCM_FORMAT_S24_LE
    }
  }

  var byteCount: Int {
    switch self {
    case .bits16: 2
    case .bits24packed: 3
    case .bits24, .bits32: 4
    }
  }

  /// The place of the highest 16 bits in a sample.
  private var place: Int {
    switch self {
    case .bits16: 0
    case .bits24packed, .bits24: 1
    case .bits32: 2
    }
  }

  /// The highest 16 bits of the first channels' samples.
  func samples(of bytes: [UInt8], count: Int, channels: Int, taking taken: Int) -> [Int16] {
    var samples: [Int16] = []
    samples.reserveCapacity(count * taken)
    for moment in 0..<count {
      for channel in 0..<taken {
        let start = (moment * channels + channel) * byteCount + place
        samples.append(
          Int16(bitPattern: UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8))
      }
    }
    return samples
  }
}
