import OperatingSystem

/// How much a download has sent lately. Pure.
struct DownloadPace {
  /// A download that has sent this much lately, in bytes, keeps its place.
  static let sufficient = 1 << 20

  private let begun: MonotonicTime
  /// The newest chunks, as many as are sufficient together.
  private var chunks: [(moment: MonotonicTime, byteCount: Int)] = []

  init(begun: MonotonicTime) {
    self.begun = begun
  }

  mutating func sent(_ byteCount: Int, at now: MonotonicTime) {
    chunks.append((now, byteCount))
    while total(of: chunks.dropFirst()) >= Self.sufficient { chunks.removeFirst() }
  }

  /// The bytes sent in the last `time`; nil if they are sufficient, or if the download is younger.
  func slowness(over time: Duration, at now: MonotonicTime) -> Int? {
    guard now >= begun + time else { return nil }
    let recent = total(of: chunks.drop { $0.moment + time <= now })
    return recent < Self.sufficient ? recent : nil
  }

  private func total(of chunks: ArraySlice<(moment: MonotonicTime, byteCount: Int)>) -> Int {
    chunks.reduce(0) { $0 + $1.byteCount }
  }
}
