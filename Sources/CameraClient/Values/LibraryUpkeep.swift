package import CameraProtocol

/// How much of a comparison or a repair of the library is done.
public struct LibraryProgress: Hashable, Sendable, Codable {
  /// The files that are done.
  public var done: UInt64
  /// How many files there are to look at, as far as the node knows.
  public var total: UInt64
  /// What was read of them.
  public var doneBytes: UInt64
  /// How many bytes they have; nil if the node does not know.
  public var totalBytes: UInt64?
}

/// The result of a comparison of the library's files with what was stored.
public struct LibraryVerification: Hashable, Sendable, Codable {
  /// How many assets have their files.
  public var intact: UInt64
  /// How many have none.
  public var missing: UInt64
  /// How many have files with other bytes.
  public var changed: UInt64
  /// What all of them take.
  public var bytes: UInt64
  /// The newest of those that are missing or changed: at most 100.
  public var flawed: [Asset]

  /// Whether all are intact.
  public var isIntact: Bool { missing == 0 && changed == 0 }
}

/// What a repair of the library has done.
public struct LibraryRepair: Hashable, Sendable, Codable {
  /// Files that are assets now.
  public var adopted: UInt64
  /// Missing assets that were found under other paths.
  public var found: UInt64
  /// Movies that had been set aside and are complete now.
  public var recovered: UInt64
  /// Assets whose files are gone, and that are no longer listed.
  public var dropped: UInt64
  /// What stays as it is.
  public var left: UInt64
  /// The first of them: at most 100.
  public var changes: [Change]

  /// One file or asset.
  public struct Change: Hashable, Sendable, Codable {
    /// What has become of it.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
      case adopted, found, recovered, dropped, left
      /// A newer node has done something else.
      case other
    }

    /// What has become of it.
    public var kind: Kind
    /// Below the library's folder.
    public var path: String
    /// As it is now, or as it was; nil for what is left.
    public var asset: Asset?
    /// Why it is left, and what to do.
    public var problem: Problem?
  }
}

extension LibraryProgress {
  package init(_ wire: WireLibraryProgress) {
    self.init(
      done: wire.done, total: wire.total, doneBytes: wire.doneBytes,
      totalBytes: wire.totalBytes == 0 ? nil : wire.totalBytes)
  }
}

extension LibraryVerification {
  package init(_ wire: WireLibraryVerifyReply) {
    self.init(
      intact: wire.intact, missing: wire.missing, changed: wire.changed, bytes: wire.bytes,
      flawed: wire.flawed.compactMap(Asset.init))
  }
}

extension LibraryRepair {
  package init(_ wire: WireLibraryRepairReply) {
    self.init(
      adopted: wire.adopted, found: wire.found, recovered: wire.recovered, dropped: wire.dropped,
      left: wire.left, changes: wire.changes.map(Change.init))
  }
}

extension LibraryRepair.Change {
  fileprivate init(_ wire: WireLibraryRepairChange) {
    let kind: Kind =
      switch wire.kind {
      case .adopted: .adopted
      case .found: .found
      case .recovered: .recovered
      case .dropped: .dropped
      case .left: .left
      case .unspecified, .UNRECOGNIZED: .other
      }
    self.init(
      kind: kind, path: wire.path, asset: wire.hasAsset ? Asset(wire.asset) : nil,
      problem: wire.hasError ? Problem(wire.error) : nil)
  }
}
