import EventLoop
import Logging
import OperatingSystem

/// Tells the operator how cameras fare.
///
/// A client can change a camera's state thousands of times a second. So there are at most twenty
/// lines of one camera in five seconds, and then one with the number of those left out and the
/// newest of them.
// @unchecked: belongs to the loop.
final class CameraLog: @unchecked Sendable {
  static let most = 20

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

  func info(_ camera: String, _ text: String) { add(camera, .info, text) }

  func warning(_ camera: String, _ text: String) { add(camera, .warning, text) }

  private func add(_ camera: String, _ level: Logger.Level, _ text: String) {
    if lines[camera, default: Lines()].told < Self.most {
      lines[camera, default: Lines()].told += 1
      log.log(level: level, "camera \(camera): \(text)")
    } else {
      lines[camera]?.leftOut += 1
      lines[camera]?.newest = (level, text)
    }
    guard report == nil else { return }
    report = loop.schedule(at: .now + interval) { [weak self] in self?.tell() }
  }

  private func tell() {
    report = nil
    for (camera, lines) in lines.sorted(by: { $0.key < $1.key }) {
      guard let newest = lines.newest else { continue }
      let others =
        lines.leftOut == 1 ? "" : ", after \(lines.leftOut - 1) changes that are left out here"
      log.log(level: newest.level, "camera \(camera): \(newest.text)\(others)")
    }
    lines = [:]
  }
}
