import OperatingSystem

extension MediaLibrary {
  /// How many assets are removed before others use the library.
  private static let removedAtOnce = 8

  /// What has become of the quota.
  package struct QuotaReport: Sendable {
    /// Those that were removed, in their order, each with its limit.
    package var removed: [(asset: Asset, reason: LibraryQuota.Reason)] = []
    /// What each camera's assets take now.
    package var usage: [String: LibraryTotals] = [:]
    /// Why the library takes more than it may: what is left may not be removed, or cannot.
    package var error: MediaLibraryError?
  }

  /// Keeps to a quota from now on, until the library is closed.
  ///
  /// Protected assets stay, and so do those that are read, movies that are recorded, and proxies
  /// whose photos are still to be made. The newest asset of each camera goes only when it is too
  /// old.
  /// - Parameter onChange: Called on the library's thread after assets were removed, and when what
  ///   is used or the error has changed.
  package func keep(
    to quota: LibraryQuota, onChange: @escaping @Sendable (QuotaReport) -> Void
  ) {
    self.quota = quota
    onQuotaChange = onChange
    quotaKeeper?.end()
    quotaKeeper = QuotaKeeper(on: loop) { [weak self] in
      self?.assumeIsolated { $0.sweep() } ?? false
    }
    quotaKeeper?.begin()
  }

  /// Removes a few of the assets that go beyond the quota.
  /// - Returns: Whether there may be more.
  func sweep() -> Bool {
    var report = QuotaReport()
    var hasFailed = false
    do throws(MediaLibraryError) {
      let index = try index
      report.usage = try index.usage()
      for excess in quota.excess(usage: report.usage, free: freeByteCount, now: wallClock) {
        let removable = try index.removable(
          excess, except: Set(openReaders.keys), limit: Self.removedAtOnce)
        for asset in removable where isBeyond(excess) {
          try remove(asset.id)
          report.removed.append((asset, excess.reason))
        }
        if !report.removed.isEmpty { break }
        if excess.reason != .age { report.error = .quotaHeld(excess) }
      }
      if !report.removed.isEmpty { report.usage = try index.usage() }
    } catch {
      (report.error, hasFailed) = (error, true)
    }
    let hasChanged =
      !report.removed.isEmpty || report.usage != lastQuotaReport?.usage
      || report.error != lastQuotaReport?.error
    lastQuotaReport = report
    if hasChanged { onQuotaChange?(report) }
    return !report.removed.isEmpty && !hasFailed
  }

  /// Whether it still goes beyond its limit, of which others may have been removed meanwhile.
  private func isBeyond(_ excess: LibraryQuota.Excess) -> Bool {
    guard excess.before == nil, let usage = try? index.usage() else { return true }
    return quota.excess(usage: usage, free: freeByteCount, now: wallClock).contains(excess)
  }

  /// Nanoseconds since 1970.
  private var wallClock: Int64 { MonotonicTime.now.nanoseconds + WallClockSample.now().offset }

  /// The free bytes of the disk; nil if they cannot be read, or do not matter.
  private var freeByteCount: Int? {
    guard quota.freeByteCount != nil else { return nil }
    return try? DiskSpace(of: folder).freeBytes
  }
}

extension MediaLibraryError {
  fileprivate static func quotaHeld(_ excess: LibraryQuota.Excess) -> MediaLibraryError {
    let place = excess.camera.map { "the assets of \($0) take" } ?? "the library takes"
    let words =
      excess.reason == .free
      ? "the disk has less free than the quota wants" : "\(place) more than the quota allows"
    return MediaLibraryError(
      .quotaExceeded,
      "\(words), and what is left is protected, in use or the newest of its camera: end protections, delete some, or raise the quota"
    )
  }
}
