import Foundation
import OperatingSystem

extension ClockKeepers {
  /// The programs that might keep the clock, as far as /proc shows them to this process.
  static func running() -> [Program] {
    let files = FileManager.default
    func text(_ path: String) -> String? {
      files.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
    return ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { id in
      guard Int(id) != nil, let line = text("/proc/\(id)/comm") else { return nil }
      let name = String(line.prefix { $0 != "\n" })
      guard include(name) else { return nil }
      return Program(name: name, title: text("/proc/\(id)/cmdline") ?? "")
    }
  }
}
