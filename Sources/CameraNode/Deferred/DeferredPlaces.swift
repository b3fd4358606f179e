import CameraProtocol
import Capture
import MediaLibrary

/// The photos whose files are made later, shared out so that few clients cannot take all of the
/// room. Pure.
struct DeferredPlaces {
  /// The most photos, and the most bytes that are kept for them on the disk.
  static let limit = 256
  static let byteLimit = 1 << 30
  /// The limits of one client.
  static let limitPerClient = 128
  static let byteLimitPerClient = 512 << 20

  fileprivate struct Share {
    /// Nil for a photo of an earlier run of the node.
    var client: Holder?
    var count: Int
    var byteCount: Int
    /// By how much its files will be larger than what is kept for them.
    var growth = 0
  }

  private var kept: [AssetID: Share] = [:]
  /// What requests under way are about to need.
  private var promised: [RequestID: Share] = [:]

  /// Photos that are kept, and their bytes.
  var count: Int { kept.count }
  var byteCount: Int { kept.values.reduce(0) { $0 + $1.byteCount } }
  /// By how much less room the disk will have when all files are made.
  var growth: Int { kept.values.reduce(0) { $0 + $1.growth } }

  /// Reserves places for all photos of a request, until ``end(_:)``.
  /// - Throws: `overloaded`.
  mutating func promise(
    _ request: RequestID, _ count: Int, byteCount: Int, for client: Holder
  ) throws(CaptureError) {
    let share = Share(client: client, count: count, byteCount: byteCount)
    try requireRoom(for: share, beside: Array(kept.values) + promised.values)
    promised[request] = share
  }

  /// Takes a place for a photo of a request.
  /// - Throws: `overloaded` if it needs more than there is.
  mutating func keep(
    _ id: AssetID, byteCount: Int, growth: Int = 0, of request: RequestID, for client: Holder
  ) throws(CaptureError) {
    let share = Share(client: client, count: 1, byteCount: byteCount, growth: growth)
    try requireRoom(for: share, beside: Array(kept.values))
    kept[id] = share
    guard var rest = promised[request], rest.count > 0 else { return }
    rest.byteCount -= rest.byteCount / rest.count
    rest.count -= 1
    promised[request] = rest
  }

  /// Takes a photo of an earlier run of the node.
  mutating func restore(_ id: AssetID, byteCount: Int) {
    kept[id] = Share(client: nil, count: 1, byteCount: byteCount)
  }

  /// The request needs no more.
  mutating func end(_ request: RequestID) { promised[request] = nil }

  mutating func free(_ id: AssetID) { kept[id] = nil }

  func has(_ id: AssetID) -> Bool { kept[id] != nil }

  private func requireRoom(for new: Share, beside others: [Share]) throws(CaptureError) {
    let own = others.filter { $0.client == new.client }
    if Self.exceeds(own + [new], Self.limitPerClient, Self.byteLimitPerClient) {
      throw .overloaded(own, of: new.client?.words)
    }
    if Self.exceeds(others + [new], Self.limit, Self.byteLimit) {
      throw .overloaded(others, of: nil)
    }
  }

  private static func exceeds(_ shares: [Share], _ count: Int, _ byteCount: Int) -> Bool {
    shares.reduce(0) { $0 + $1.count } > count
      || shares.reduce(0) { $0 + $1.byteCount } > byteCount
  }
}

extension CaptureError {
  fileprivate static func overloaded(
    _ shares: [DeferredPlaces.Share], of client: String?
  ) -> CaptureError {
    let count = shares.reduce(0) { $0 + $1.count }
    let megabytes = shares.reduce(0) { $0 + $1.byteCount } >> 20
    let whose = client.map { " of \($0)" } ?? ""
    return CaptureError(
      .overloaded,
      "the files of \(count) photos\(whose) (\(megabytes) MB) are still to be made: wait for some of them, or have "
        + "this one's made at once")
  }
}
