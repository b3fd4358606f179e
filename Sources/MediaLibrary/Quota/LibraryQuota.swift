/// How much a library keeps. What goes beyond is removed by the library itself, the oldest first.
package struct LibraryQuota: Hashable, Sendable {
  /// What photos and movies may take together, and how old they may become.
  package struct Limits: Hashable, Sendable {
    package var byteCount: Int?
    package var age: Duration?

    package init(byteCount: Int? = nil, age: Duration? = nil) {
      self.byteCount = byteCount
      self.age = age
    }
  }

  /// Of all cameras.
  package var all = Limits()
  /// Of single ones, by their names.
  package var cameras: [String: Limits] = [:]
  /// The bytes that the library leaves free on its disk, as far as removing its own files helps.
  package var freeByteCount: Int?

  package init() {}

  package var isEmpty: Bool { self == LibraryQuota() }

  /// Which limit an asset was removed for.
  package enum Reason: Hashable, Sendable, CaseIterable {
    case size, age, free
  }

  /// What is to be removed next.
  struct Excess: Hashable {
    let reason: Reason
    /// Of this camera; nil for any.
    let camera: String?
    /// Only what is older than this, nanoseconds since 1970; nil for anything.
    let before: Int64?
  }

  /// What goes beyond the limits, in the order in which it is removed.
  /// - Parameters:
  ///   - usage: The bytes of each camera's files.
  ///   - free: The free bytes of the disk; nil if they are not known.
  ///   - now: Nanoseconds since 1970.
  func excess(usage: [String: LibraryTotals], free: Int?, now: Int64) -> [Excess] {
    var result: [Excess] = []
    // What single cameras may have first, so that as little as possible is removed for all of them.
    let single = cameras.sorted { $0.key < $1.key }.map {
      (camera: Optional($0.key), limits: $0.value)
    }
    for (camera, limits) in single + [(camera: nil, limits: all)] {
      if let age = limits.age {
        let (moment, isTooFar) = now.subtractingReportingOverflow(age.nanosecondsClamped)
        if !isTooFar { result.append(Excess(reason: .age, camera: camera, before: moment)) }
      }
      let used =
        camera.map { usage[$0]?.byteCount ?? 0 } ?? usage.values.reduce(0) { $0 + $1.byteCount }
      if let most = limits.byteCount, used > most {
        result.append(Excess(reason: .size, camera: camera, before: nil))
      }
    }
    if let free, let least = freeByteCount, free < least {
      result.append(Excess(reason: .free, camera: nil, before: nil))
    }
    return result
  }
}

extension Duration {
  fileprivate var nanosecondsClamped: Int64 {
    let (seconds, attoseconds) = components
    let (nanoseconds, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLong
      ? .max : nanoseconds.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
  }
}
