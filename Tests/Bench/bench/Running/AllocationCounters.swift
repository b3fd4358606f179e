import Foundation

/// Reads the allocation counters of processes that load `CAllocations`.
struct AllocationCounters {
  private let folder: String
  private let library: String?

  init(_ workplace: Workplace, isOn: Bool) throws {
    folder = "\(workplace.folder)/allocations-\(UUID().uuidString.prefix(8))"
    library = isOn ? workplace.allocations : nil
    guard isOn else { return }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// The environment for a new process; empty if allocations are not counted.
  func environment(_ process: String) -> [String: String] {
    guard let library else { return [:] }
    return ["LD_PRELOAD": library, "BENCH_ALLOCATIONS": "\(folder)/\(process)"]
  }

  func count(_ process: String) -> UInt64 {
    guard let data = FileManager.default.contents(atPath: "\(folder)/\(process)"), data.count == 8
    else { return 0 }
    return data.withUnsafeBytes { $0.load(as: UInt64.self) }
  }
}
