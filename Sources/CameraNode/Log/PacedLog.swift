import EventLoop
import Logging
import OperatingSystem

/// Tells the operator how cameras fare and what clients do.
///
/// A client can make news thousands of times a second. So there are at most a hundred lines of one
/// subject in five seconds, and then one with the number of those left out and the newest of them.
@ControlLoop final class PacedLog {
  static let most = 100

  private struct Lines {
    var count = 0
    /// The newest line that was not written.
    var newest: (level: Logger.Level, text: String)?
  }

  private let log: Logger
  private let interval: Duration
  private var lines: [String: Lines] = [:]
  private var report: LoopTimer?

  init(_ log: Logger, interval: Duration = .seconds(5)) {
    self.log = log
    self.interval = interval
  }

  func close() {
    report?.cancel()
    tell()
  }

  func info(_ subject: String, _ text: String) { log(.info, subject, text) }

  func warning(_ subject: String, _ text: String) { log(.warning, subject, text) }

  /// - Parameter subject: A camera or a key, whose number is bounded: "camera front".
  func log(_ level: Logger.Level, _ subject: String, _ text: String) {
    var own = lines[subject] ?? Lines()
    own.count += 1
    if own.count <= Self.most {
      log.log(level: level, "\(subject): \(text)")
    } else {
      own.newest = (level, text)
    }
    lines[subject] = own
    guard report == nil else { return }
    report = ControlLoop.schedule(at: .now + interval) { [weak self] in self?.tell() }
  }

  private func tell() {
    report = nil
    for (subject, lines) in lines.sorted(by: { $0.key < $1.key }) {
      guard let newest = lines.newest else { continue }
      let before = lines.count - Self.most - 1
      let others = before == 0 ? "" : " (\(before) lines before it are left out)"
      log.log(level: newest.level, "\(subject): \(newest.text)\(others)")
    }
    lines = [:]
  }
}
