package import CameraProtocol
import FoundationEssentials
import SwiftProtobuf

extension CameraBus {
  /// The library's newest photos and movies, newest first.
  ///
  /// - Parameters:
  ///   - filter: Which of them. With a request's id it finds what was made for it, also where its
  ///     own answer was lost.
  ///   - limit: The most to list. Above 1000 it takes more than one request.
  /// - Throws: `noSuchCamera` for a camera that neither the node nor its library knows.
  public func assets(
    _ filter: AssetFilter = AssetFilter(),
    limit: Int = 100
  ) async throws(CameraBusError) -> [Asset] {
    guard limit >= 0 else { throw Arguments.refusal("limit is 0 or more, not \(limit)", "limit") }
    var assets: [Asset] = []
    var pages = AssetSequence.Pages(filter, of: self)
    while assets.count < limit, let page = try await pages.next(limit: limit - assets.count) {
      assets += page
    }
    return assets
  }

  /// All photos and movies of the library, newest first. They are fetched while you take them, in
  /// pages of a hundred.
  public func allAssets(_ filter: AssetFilter = AssetFilter()) -> AssetSequence {
    AssetSequence(filter, of: self)
  }

  /// The photo or movie of this id; nil when the library does not have it.
  public func asset(_ id: Identifier) async throws(CameraBusError) -> Asset? {
    try await assets(AssetFilter(idPrefix: id.bytes), limit: 1).first
  }

  // MARK: Changes

  /// Deletes photos and movies from the library for good.
  ///
  /// - Returns: What became of each, in the order of the ids.
  /// - Throws: When a request had no answer. More than 256 ids take several requests, of which
  ///   earlier ones may be done.
  @discardableResult
  public func delete(_ ids: [Identifier]) async throws(CameraBusError) -> [AssetChange] {
    try await change(ids) { (ids) throws(CameraBusError) in
      let body = WireDeleteRequest.with { $0.assets = ids }
      guard case .delete(let reply) = try await request(.delete(body), .changing) else {
        throw .unexpectedReply
      }
      return reply.results
    }
  }

  /// Protects photos and movies from deletion, or ends their protection.
  ///
  /// - Returns: What became of each, in the order of the ids.
  /// - Throws: As for ``delete(_:)``.
  @discardableResult
  public func protect(
    _ ids: [Identifier],
    _ isProtected: Bool = true
  ) async throws(CameraBusError) -> [AssetChange] {
    try await change(ids) { (ids) throws(CameraBusError) in
      let body = WireProtectRequest.with {
        $0.assets = ids
        $0.protected = isProtected
      }
      guard case .protect(let reply) = try await request(.protect(body), .changing) else {
        throw .unexpectedReply
      }
      for case .asset(let asset)? in reply.results.map(\.outcome)
      where asset.protected != isProtected {
        throw .unexpectedReply
      }
      return reply.results
    }
  }

  /// Changes the names and tags of photos and movies, and not their files.
  ///
  /// - Parameters:
  ///   - ids: Those of 1 to 256 assets.
  ///   - name: The name that all of them get, one line of at most 128 characters; empty takes their
  ///     names away, nil keeps them.
  ///   - added: Tags that all of them get, at most 32. Each has at most 64 characters and no comma.
  ///   - removed: Tags that all of them lose.
  /// - Returns: What became of each, in the order of the ids: `invalidArgument` for one that would
  ///   have more than 32 tags.
  /// - Throws: As for ``delete(_:)``, and `invalidArgument`.
  @discardableResult
  public func tag(
    _ ids: [Identifier], name: String? = nil, adding added: [String] = [],
    removing removed: [String] = []
  ) async throws(CameraBusError) -> [AssetChange] {
    try await change(ids) { (ids) throws(CameraBusError) in
      var body = WireTagRequest(name: name, adding: added, removing: removed)
      body.assets = ids
      guard case .tag(let reply) = try await request(.tag(body), .changing) else {
        throw .unexpectedReply
      }
      for case .asset(let asset)? in reply.results.map(\.outcome) {
        let isDone =
          (name == nil || asset.name == name) && Set(added).isSubset(of: asset.tags)
          && Set(removed).isDisjoint(with: asset.tags)
        guard isDone else { throw .unexpectedReply }
      }
      return reply.results
    }
  }

  /// A request for such a change of one asset, whose rules the node has.
  package static func tagRequest(
    name: String?, adding added: [String], removing removed: [String]
  ) -> WireRequest.OneOf_Body {
    var body = WireTagRequest(name: name, adding: added, removing: removed)
    body.assets = [RequestID.random().data]
    return .tag(body)
  }

  /// Asks for as many assets at a time as one request may name.
  private func change(
    _ ids: [Identifier],
    _ ask: ([Data]) async throws(CameraBusError) -> [WireAssetResult]
  ) async throws(CameraBusError) -> [AssetChange] {
    var (changes, rest) = ([AssetChange](), ids[...])
    while !rest.isEmpty {
      let some = rest.prefix(WireLimits.changedAssets)
      rest = rest.dropFirst(some.count)
      let results = try await ask(some.map { Data($0.bytes) }).compactMap(AssetChange.init)
      guard results.map(\.id) == Array(some) else { throw .unexpectedReply }
      changes += results
    }
    return changes
  }
}

extension WireTagRequest {
  fileprivate init(name: String?, adding added: [String], removing removed: [String]) {
    self.init()
    if let name { self.name = name }
    (add, remove) = (added, removed)
  }
}

/// Checks that the assets of a list get older, so that a list of a faulty node comes to an end.
/// Pure.
struct ListOrder {
  /// How many assets may have the same time. It is given in nanoseconds, so few have.
  private static let atOneTime = 10_000

  private var time: WallInstant?
  /// The assets of that time.
  private var ids: Set<Identifier> = []

  /// Takes the assets of the next page.
  /// - Returns: Whether they may follow those before.
  mutating func allows(_ assets: [Asset]) -> Bool {
    assets.allSatisfy { asset in
      if let time, asset.created > time { return false }
      if asset.created != time { ids.removeAll() }
      time = asset.created
      return ids.insert(asset.id).inserted && ids.count <= Self.atOneTime
    }
  }
}
