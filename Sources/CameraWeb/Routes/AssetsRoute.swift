import CameraClient
import Dispatch
import HTTPTypes
import HummingbirdCore
import NIOCore
import OperatingSystem
import Reports
import Words

/// The photos and movies of libraries.
enum AssetsRoute {
  private static let names: Set = [
    "node", "camera", "kind", "since", "until", "name", "tag", "request", "deferral", "limit",
    "page",
  ]
  /// The most assets of a page.
  private static let longestPage = 1000

  private struct Page: Encodable {
    var assets: [Asset]
    /// The value of `page` for the next one; nil behind the oldest asset.
    var next: String?
  }

  /// A page of a library, newest first.
  static func list(_ exchange: Exchange, _ gateway: WebGateway) async throws -> Answer {
    let target = exchange.target
    try target.requireQuery(of: names)
    let filter = try filter(target)
    let limit = try target.query["limit"].map { (text) throws(HTTPFailure) in
      guard let limit = Int(text), (1...longestPage).contains(limit) else {
        throw .invalid("limit", "write a number from 1 to \(longestPage)")
      }
      return limit
    }
    let cursor = try target.query["page"].map { (text) throws(HTTPFailure) in
      guard let cursor = [UInt8](hexadecimal: text), !cursor.isEmpty else {
        throw .invalid("page", "write what came as next with the page before")
      }
      return cursor
    }
    let node = try gateway.nodes.node(target.query["node"])
    let (assets, next) = try await node.askNode { (bus) throws(CameraBusError) in
      try await bus.assetPage(filter, limit: limit ?? 100, from: cursor)
    }
    let page = Page(assets: assets.filter { node.serves($0.camera) }, next: next?.hexadecimal)
    return .json(JSONText.data(of: page))
  }

  static func filter(_ target: RequestTarget) throws(HTTPFailure) -> AssetFilter {
    var filter = AssetFilter(camera: target.query["camera"], name: target.query["name"])
    filter.kind = try target.query["kind"].map { (text) throws(HTTPFailure) in
      switch text {
      case "photo": return .photo
      case "movie": return .movie
      default: throw .invalid("kind", "write photo or movie")
      }
    }
    filter.since = try target.query["since"].map { (text) throws(HTTPFailure) in
      try moment(text, "since")
    }
    filter.until = try target.query["until"].map { (text) throws(HTTPFailure) in
      try moment(text, "until")
    }
    filter.requestID = try target.query["request"].map { (text) throws(HTTPFailure) in
      guard let id = Identifier(text) else { throw .invalid("request", "write a request's id") }
      return id
    }
    filter.deferral = target.query["deferral"].map { Deferral(rawValue: $0) }
    let tags = target.query["tag"]?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    filter.tags = Set(tags.map(String.init))
    return filter
  }

  private static func moment(_ text: String, _ field: String) throws(HTTPFailure) -> WallInstant {
    guard let moment = WallInstant(text) else {
      throw .invalid(field, "write a moment such as 2026-11-21T09:07:07.25Z")
    }
    return moment
  }

  // MARK: One asset

  /// A photo or movie, or a part of it.
  static func asset(
    _ exchange: Exchange, _ path: ArraySlice<String>, _ gateway: WebGateway
  ) async throws -> Answer {
    try exchange.target.requireQuery(of: [])
    let node = try gateway.nodes.node(path.count > 1 ? path.first : nil)
    let asset = try await asset(path.last ?? "", of: node)
    let request = exchange.head.headerFields
    // The digest names the bytes, which never change.
    let tag = "\"\(asset.sha256)\""
    var headers: HTTPFields = [
      .eTag: tag, .cacheControl: "private, no-cache", .acceptRanges: "bytes",
    ]
    if let known = request[.ifNoneMatch], matches(known, tag) {
      return Answer(.notModified, headers, .whole(ByteBuffer()))
    }
    let isSame = request[.ifRange].map { $0 == tag } ?? true
    let range: Range<UInt64>
    var status = HTTPResponse.Status.ok
    switch ByteRange(isSame ? request[.range] : nil, of: asset.byteCount) {
    case .whole: range = 0..<asset.byteCount
    case .part(let part):
      range = part
      status = .partialContent
      headers[.contentRange] =
        "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(asset.byteCount)"
    case .outside:
      throw HTTPFailure(
        .rangeNotSatisfiable, "invalidArgument", "the asset has \(asset.byteCount) bytes",
        field: "Range", headers: [.contentRange: "bytes */\(asset.byteCount)"])
    }
    headers[.contentType] =
      MediaType(rawValue: asset.mediaType)?.rawValue ?? "application/octet-stream"
    headers[.contentLength] = "\(range.count)"
    headers[.contentDisposition] = "inline; filename=\"\(asset.fileName)\""
    let place = try gateway.downloads.take()
    return Answer(
      status, headers,
      .stream { writer in
        try await write(range, of: asset, on: node, to: &writer)
        withExtendedLifetime(place) {}
      })
  }

  private static func asset(_ text: String, of node: ServedNode) async throws -> Asset {
    let missing = HTTPFailure(.notFound, "noSuchAsset", "the library has no asset of this id")
    guard let id = Identifier(text), id.bytes.count == 16 else { throw missing }
    let asset = try await node.askNode { (bus) throws(CameraBusError) in try await bus.asset(id) }
    guard let asset, node.serves(asset.camera) else { throw missing }
    return asset
  }

  /// Whether `If-None-Match` names the tag.
  private static func matches(_ header: String, _ tag: String) -> Bool {
    header.split(separator: ",").contains { part in
      let word = part.drop { $0 == " " }
      return word == "*" || word == tag || word == "W/\(tag)"
    }
  }

  private static func write(
    _ range: Range<UInt64>, of asset: Asset, on node: ServedNode,
    to writer: inout any ResponseBodyWriter
  ) async throws {
    let gate = ChunkGate()
    var left = range.count
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do throws(CameraBusError) {
          try await node.askNode { (bus) throws(CameraBusError) in
            try await bus.download(asset, from: range.lowerBound) { gate.put($0) }
          }
          gate.end()
        } catch {
          gate.end(HTTPFailure(error))
        }
      }
      defer {
        gate.end()
        group.cancelAll()
      }
      while left > 0, let chunk = try await gate.next() {
        let part = chunk.prefix(left)
        left -= part.count
        try await writer.write(ByteBuffer(bytes: part))
      }
    }
    // The connection ends early, so that the visitor knows that there is more.
    guard left == 0 else {
      throw HTTPFailure(CameraBusError(.interrupted, "the download ended early"))
    }
  }
}

/// Hands chunks from a thread that may wait to a task: a chunk at a time, so that a slow visitor
/// slows the download.
private final class ChunkGate: Sendable {
  private let chunks = NewestSlot<[UInt8]>()
  private let room = DispatchSemaphore(value: 1)
  private let hasEnded = Mutex(false)

  /// Waits until the chunk before was taken.
  func put(_ chunk: [UInt8]) {
    room.wait()
    if hasEnded.withLock({ $0 }) { room.signal() } else { chunks.put(chunk) }
  }

  func next() async throws(HTTPFailure) -> [UInt8]? {
    let chunk = try await chunks.next()
    room.signal()
    return chunk
  }

  /// Ends it for both sides. What was put before still comes.
  func end(_ failure: HTTPFailure? = nil) {
    hasEnded.withLock { $0 = true }
    chunks.end(failure)
    room.signal()
  }
}
