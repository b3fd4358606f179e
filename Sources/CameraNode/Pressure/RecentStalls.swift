import CameraProtocol
import OperatingSystem

/// What the machine's programs waited for in the last seconds, for the status. It is read when
/// somebody asks, and at most once a second.
struct RecentStalls: Sendable {
  private static let age = Duration.seconds(1)

  private let root: String
  private var last: (waiting: WireWaitingPrograms, time: MonotonicTime)?

  /// - Parameter root: Stands in front of /proc.
  init(root: String) {
    self.root = root
  }

  mutating func waiting(at now: MonotonicTime) -> WireWaitingPrograms {
    if let last, now - last.time < Self.age { return last.waiting }
    var waiting = WireWaitingPrograms()
    if let share = StallResource.cpu.recentShare(root: root) { waiting.cpu = share }
    if let share = StallResource.memory.recentShare(root: root) { waiting.memory = share }
    if let share = StallResource.io.recentShare(root: root) { waiting.io = share }
    last = (waiting, now)
    return waiting
  }
}
