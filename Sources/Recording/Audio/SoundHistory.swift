import Capture
import OperatingSystem

/// What a microphone heard in the last seconds, and how much of it the present file of a recording
/// has. Confined to one thread.
struct SoundHistory {
  /// How far sound is given ahead of its picture.
  static let ahead = Duration.seconds(1)

  /// How long sound is kept.
  private let reach: Duration
  private var packets: [SoundPacket] = []
  /// The first packets, which are forgotten.
  private var gone = 0
  /// The first packet that the file does not have.
  private var next = 0

  /// - Parameter reach: How far back a file may begin.
  init(reach: Duration) {
    self.reach = reach + MovieSound.longestWait
  }

  mutating func append(_ packet: SoundPacket) {
    packets.append(packet)
    while gone < packets.count, packet.start - packets[gone].start > reach { gone += 1 }
    next = max(next, gone)
    guard gone > 64, gone * 2 > packets.count else { return }
    packets.removeFirst(gone)
    next -= gone
    gone = 0
  }

  /// A file begins with a picture of this moment.
  mutating func begin(at moment: MonotonicTime) {
    next = packets[gone...].firstIndex { $0.end > moment - Self.ahead } ?? packets.count
  }

  /// The next packets of the file, of those that begin before this moment.
  mutating func take(before moment: MonotonicTime) -> ArraySlice<SoundPacket> {
    let first = next
    while next < packets.count, packets[next].start < moment { next += 1 }
    return packets[first..<next]
  }

  /// Leaves out what comes before this moment.
  mutating func skip(to moment: MonotonicTime) {
    while next < packets.count, packets[next].start < moment { next += 1 }
  }
}

extension SoundPacket {
  /// When the last sample was recorded.
  fileprivate var end: MonotonicTime { start + format.duration(of: count) }
}
