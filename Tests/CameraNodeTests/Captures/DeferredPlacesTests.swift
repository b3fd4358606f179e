import CameraProtocol
import Capture
import MediaLibrary
import Testing

@testable import CameraNode

struct DeferredPlacesTests {
  private static let megabyte = 1 << 20
  private var places = DeferredPlaces()

  /// Keeps photos of a request.
  private mutating func keep(_ count: Int, byteCount: Int = 1, for client: Holder) throws {
    for _ in 0..<count {
      try places.keep(AssetID(), byteCount: byteCount, of: .random(), for: client)
    }
  }

  private mutating func isRefused(
    _ count: Int = 1, byteCount: Int = 1, for client: Holder
  ) -> Bool {
    let request = RequestID.random()
    defer { places.end(request) }
    do throws(CaptureError) {
      try places.promise(request, count, byteCount: byteCount, for: client)
      return false
    } catch {
      #expect(error.code == .overloaded)
      return true
    }
  }

  @Test mutating func `One client has half of the places, two have all`() throws {
    try keep(127, for: [1])
    #expect(!isRefused(for: [1]) && isRefused(2, for: [1]))
    try keep(1, for: [1])
    #expect(isRefused(for: [1]) && !isRefused(128, for: [2]) && isRefused(129, for: [2]))
    try keep(128, for: [2])
    #expect(places.count == 256 && isRefused(for: [3]))
  }

  @Test mutating func `The bytes are shared out as the places`() throws {
    try keep(4, byteCount: 128 * Self.megabyte, for: [1])
    #expect(isRefused(for: [1]) && !isRefused(byteCount: 512 * Self.megabyte, for: [2]))
    try keep(4, byteCount: 128 * Self.megabyte, for: [2])
    #expect(places.byteCount == 1 << 30 && isRefused(for: [3]))
  }

  @Test mutating func `What is promised counts, and what a request keeps counts once`() throws {
    let request = RequestID.random()
    try places.promise(request, 100, byteCount: 100, for: [1])
    #expect(isRefused(29, for: [1]) && !isRefused(28, for: [1]))
    for _ in 0..<100 { try places.keep(AssetID(), byteCount: 1, of: request, for: [1]) }
    #expect(isRefused(29, for: [1]) && !isRefused(28, for: [1]))
    places.end(request)
    #expect(places.count == 100 && places.byteCount == 100)
  }

  @Test mutating func `Photos that turn out larger than promised are refused when all is taken`()
    throws
  {
    let request = RequestID.random()
    try places.promise(request, 2, byteCount: 0, for: [1])
    try places.keep(AssetID(), byteCount: 512 * Self.megabyte, of: request, for: [1])
    #expect(throws: CaptureError.self) {
      try places.keep(AssetID(), byteCount: 1, of: request, for: [1])
    }
  }

  @Test mutating func `Photos of an earlier run are nobody's, and count`() throws {
    let ids = (0..<200).map { _ in AssetID() }
    for id in ids { places.restore(id, byteCount: 1) }
    #expect(isRefused(57, for: [1]) && !isRefused(56, for: [1]))
    for id in ids { places.free(id) }
    #expect(places.count == 0 && !isRefused(128, for: [1]))
  }
}
