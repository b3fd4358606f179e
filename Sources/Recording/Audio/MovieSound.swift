import Capture
import OperatingSystem

/// The sound of one movie file: brings what a microphone hears to the times of the movie's
/// pictures. Used on one thread.
///
/// Sound waits until a picture of its time has come, so that both are in the file together. A
/// microphone that delivers nothing holds nobody up: its time becomes silence.
final class MovieSound {
  /// How late sound may be before silence takes its place.
  static let patience = Duration.milliseconds(500)
  /// How much sound may be missing at the end, because it comes a little after its time.
  static let tail = Duration.milliseconds(200)
  /// What waits for the first picture, and for later ones, at most.
  static let longestWait = Duration.seconds(5)

  private let settings: SoundSettings
  private var encoder: AudioEncoder?
  /// The time of the encoder's first sample, which lies before the first picture, so that a coded
  /// piece begins with that.
  private var origin = MonotonicTime.distantPast
  /// Samples from there to the first picture.
  private var lead = 0
  private var start = MonotonicTime.distantPast
  /// What came before the first picture.
  private var early: [SoundPacket] = []
  /// What waits for pictures.
  private var units: [SoundUnit] = []
  /// When the sound ends that was taken so far.
  private var end = MonotonicTime.distantPast
  private var format = SoundFormat(rate: AudioEncoder.rate, channels: 1)
  /// How much silence took the place of sound.
  private(set) var silent = Duration.zero

  init(_ settings: SoundSettings) {
    self.settings = settings
  }

  var codec: SoundCodec { settings.codec }

  /// Begins with the first picture.
  /// - Returns: What the container has to know.
  /// - Throws: `notEncodable`.
  func begin(at start: MonotonicTime) throws(RecordingError) -> SoundParameters {
    format = early.last?.format ?? format
    let encoder = try AudioEncoder(settings, channels: min(2, format.channels))
    self.encoder = encoder
    self.start = start
    lead = (encoder.frameSize - encoder.priming % encoder.frameSize) % encoder.frameSize
    origin = start - SoundFormat(rate: AudioEncoder.rate).duration(of: lead)
    end = origin
    for packet in early { try take(packet) }
    early = []
    return encoder.parameters
  }

  /// Takes sound, which may come before the first picture.
  func take(_ packet: SoundPacket) throws(RecordingError) {
    guard let encoder else {
      early.append(packet)
      return
    }
    let packetEnd = packet.start + packet.format.duration(of: packet.count)
    guard packetEnd > origin else { return }
    // A gap that is too long for the memory of the converter.
    if packet.start - end > Self.patience { try fill(until: packet.start, encoder) }
    try code(packet, encoder)
    (end, format) = (max(end, packetEnd), packet.format)
  }

  /// Calls `body` with what belongs before a picture, in its order.
  func pass(
    before picture: MonotonicTime, _ body: (SoundUnit) throws(RecordingError) -> Void
  ) throws(RecordingError) {
    guard let encoder else { return }
    if picture - end > Self.patience {
      try fill(until: picture - .nanoseconds(Self.patience.wholeNanoseconds / 2), encoder)
    }
    try give(before: picture, body)
  }

  /// Calls `body` with the rest, up to the end of the last picture.
  func finish(
    at end: MonotonicTime, _ body: (SoundUnit) throws(RecordingError) -> Void
  ) throws(RecordingError) {
    guard let encoder else { return }
    if end - self.end > Self.tail { try fill(until: end, encoder) }
    try encoder.finish(give: keep)
    try give(before: end, body)
    self.encoder = nil
    units = []
  }

  private func give(
    before moment: MonotonicTime, _ body: (SoundUnit) throws(RecordingError) -> Void
  ) throws(RecordingError) {
    let time = (moment - start).wholeNanoseconds
    let count = units.firstIndex { $0.time >= time } ?? units.count
    for unit in units[..<count] { try body(unit) }
    units.removeFirst(count)
  }

  private func fill(until moment: MonotonicTime, _ encoder: AudioEncoder) throws(RecordingError) {
    while end < moment {
      let length = min(moment - end, .seconds(1))
      let count = max(1, Int(length / .seconds(1) * Double(format.rate)))
      let silence = SoundPacket(
        format: format, samples: [Int16](repeating: 0, count: count * format.channels), start: end)
      try code(silence, encoder)
      end = end + format.duration(of: count)
      silent += length
    }
  }

  private func code(_ packet: SoundPacket, _ encoder: AudioEncoder) throws(RecordingError) {
    try encoder.take(
      packet.samples, packet.format, at: (packet.start - origin).wholeNanoseconds, give: keep)
    // Nobody waits for pictures for ever.
    let most =
      Self.longestWait / .seconds(1) * Double(AudioEncoder.rate) / Double(encoder.frameSize)
    if units.count > Int(most) { units.removeFirst(units.count - Int(most)) }
  }

  /// Keeps a coded piece, unless it lies before the first picture.
  private func keep(_ bytes: RawSpan, _ number: Int64) {
    guard let encoder, number >= Int64(lead) else { return }
    let time = { (samples: Int64) in samples * 1_000_000_000 / Int64(AudioEncoder.rate) }
    let first = number - Int64(lead)
    units.append(
      SoundUnit(
        bytes: unsafe bytes.withUnsafeBytes { unsafe Array($0) }, time: time(first),
        duration: time(first + Int64(encoder.frameSize)) - time(first)))
  }
}
