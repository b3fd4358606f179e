import EventLoop
import Logging
import OperatingSystem

/// Tells the operator how cameras fare and what clients do.
///
/// A client can make news thousands of times a second. So there are at most a hundred lines of one
/// subject in five seconds, and then one with the number of those left out and the newest of them.
// @unchecked: belongs to the loop.
final class PacedLog: @unchecked Sendable {
  static let most = 100

  private struct Lines {
    var told = 0
    var leftOut = 0
    var newest: (level: Logger.Level, text: String)?
  }

  private let loop: EventLoop
  private let log: Logger
  private let interval: Duration
  private var lines: [String: Lines] = [:]
  private var report: LoopTimer?

  init(on loop: EventLoop, _ log: Logger, interval: Duration = .seconds(5)) {
    self.loop = loop
    self.log = log
    self.interval = interval
  }

  func close() {
    report?.cancel()
    tell()
  }

  /// - Parameter subject: a camera or a key, whose number is bounded: "camera front".
  func info(_ subject: String, _ text: String) { add(subject, .info, text) }

  func warning(_ subject: String, _ text: String) { add(subject, .warning, text) }

  private func add(_ subject: String, _ level: Logger.Level, _ text: String) {
    if lines[subject, default: Lines()].told < Self.most {
      lines[subject, default: Lines()].told += 1
      log.log(level: level, "\(subject): \(text)")
    } else {
      lines[subject]?.leftOut += 1
      lines[subject]?.newest = (level, text)
    }
    guard report == nil else { return }
    report = loop.schedule(at: .now + interval) { [weak self] in self?.tell() }
  }

  private func tell() {
    report = nil
    for (subject, lines) in lines.sorted(by: { $0.key < $1.key }) {
      guard let newest = lines.newest else { continue }
      let others = lines.leftOut == 1 ? "" : " (\(lines.leftOut - 1) lines before it are left out)"
      log.log(level: newest.level, "\(subject): \(newest.text)\(others)")
    }
    lines = [:]
  }
}
