import CameraProtocol
import FoundationEssentials
import SwiftProtobuf

/// The photos and movies of a library, newest first. It keeps its ``CameraBus`` alive.
///
/// Each asset comes once, also while others are added or deleted. One that is made after the
/// iteration began does not come, unless its moment lies further in the past.
///
/// Policy: a page of a hundred is fetched when the reader has taken the one before.
public struct AssetSequence: AsyncSequence, Sendable {
  /// A photo or movie.
  public typealias Element = Asset
  /// Why the next page did not come.
  public typealias Failure = CameraBusError

  private let filter: AssetFilter
  private let bus: CameraBus

  init(_ filter: AssetFilter, of bus: CameraBus) {
    self.filter = filter
    self.bus = bus
  }

  /// Begins with the newest asset.
  public func makeAsyncIterator() -> Iterator {
    Iterator(pages: Pages(filter, of: bus))
  }

  /// Takes the assets one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var pages: Pages
    private var page: ArraySlice<Asset> = []

    fileprivate init(pages: Pages) {
      self.pages = pages
    }

    /// The next asset; nil after the oldest.
    ///
    /// - Throws: `noSuchCamera` for a camera that neither the node nor its library knows;
    ///   `unreachable`, `timedOut`, `closed`, `cancelled`.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(CameraBusError) -> Asset? {
      while page.isEmpty {
        guard let next = try await pages.next(limit: 100) else { return nil }
        page = next[...]
      }
      return page.removeFirst()
    }
  }

  /// Fetches the pages of a list.
  struct Pages: Sendable {
    private let filter: AssetFilter
    private let bus: CameraBus
    /// Where the next page begins; nil behind the last one.
    fileprivate private(set) var page: Data?
    private var order = ListOrder()

    /// - Parameter page: Where the first page begins, as the node has said; empty at the newest
    ///   asset.
    init(_ filter: AssetFilter, of bus: CameraBus, from page: Data = Data()) {
      self.filter = filter
      self.bus = bus
      self.page = page
    }

    /// The next page; nil behind the last one.
    mutating func next(limit: Int) async throws(CameraBusError) -> [Asset]? {
      guard let page else { return nil }
      if let camera = filter.camera { _ = try Arguments.camera(camera) }
      if let deferral = filter.deferral { try Arguments.check(deferral) }
      if filter.name == "" { throw Arguments.refusal("a name is not empty, or nil", "name") }
      let limit = Swift.min(limit, Int(WireLimits.assets))
      let body = filter.request(limit: limit, page: page)
      guard case .assets(let reply) = try await bus.request(.assets(body), .reading) else {
        throw .unexpectedReply
      }
      let assets = reply.assets.compactMap(Asset.init)
      guard assets.allSatisfy(filter.allows) else { throw .unexpectedReply }
      let isLast = reply.next.isEmpty
      guard order.allows(assets), isLast || (!assets.isEmpty && reply.next != page) else {
        throw .endlessList
      }
      self.page = isLast ? nil : reply.next
      return assets
    }
  }
}

extension CameraBus {
  /// A page of a list whose next page is asked for later, perhaps by another program.
  ///
  /// - Parameters:
  ///   - filter: Which assets. It must be the same for all pages of a list.
  ///   - limit: The most assets, at least 1.
  ///   - cursor: What came with the page before; nil for the newest assets.
  /// - Returns: Also the cursor of the next page; nil behind the oldest asset.
  package func assetPage(
    _ filter: AssetFilter, limit: Int, from cursor: [UInt8]?
  ) async throws(CameraBusError) -> (assets: [Asset], next: [UInt8]?) {
    var pages = AssetSequence.Pages(filter, of: self, from: Data(cursor ?? []))
    let assets = try await pages.next(limit: limit) ?? []
    return (assets, pages.page.map(Array.init))
  }
}
