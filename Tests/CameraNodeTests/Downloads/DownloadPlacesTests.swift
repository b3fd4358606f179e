import CameraProtocol
import Testing

@testable import CameraNode

struct DownloadPlacesTests {
  private let ids = (0..<5).map { _ in RequestID.random() }

  @Test func `One client may have all places, and loses the newest to another`() {
    var places = DownloadPlaces(limit: 3)
    for id in ids[..<3] { #expect(places.take(for: id, of: [1]) == .free) }
    #expect(places.take(for: ids[3], of: [2]) == .from(ids[2]))
    #expect(places.hasPlace(ids[3]))
    #expect(!places.hasPlace(ids[2]))
  }

  @Test func `Clients with equal shares take no place from each other`() {
    var places = DownloadPlaces(limit: 2)
    for id in ids[..<2] { #expect(places.take(for: id, of: [1]) == .free) }
    #expect(places.take(for: ids[2], of: [1]) == .none)
    #expect(places.take(for: ids[2], of: [2]) == .from(ids[1]))
    #expect(places.take(for: ids[3], of: [2]) == .none)
    #expect(places.take(for: ids[3], of: [3]) == .none)
  }

  @Test
  func `The slowest download loses its place to one that is refused otherwise`() {
    var places = DownloadPlaces(limit: 3)
    for (id, client) in zip(ids, [[1], [2], [3]] as [Holder]) {
      #expect(places.take(for: id, of: client) == .free)
    }
    #expect(places.take(for: ids[3], of: [4]) == .none)
    let slowness = [ids[0]: 900, ids[1]: 5, ids[2]: 5]
    #expect(places.take(for: ids[3], of: [4]) { slowness[$0] } == .from(ids[1]))
    #expect(places.hasPlace(ids[3]))
    #expect(!places.hasPlace(ids[1]))
  }

  @Test func `A place that was given back is free`() {
    var places = DownloadPlaces(limit: 1)
    #expect(places.take(for: ids[0], of: [1]) == .free)
    places.giveBack(ids[0])
    #expect(places.take(for: ids[1], of: [2]) == .free)
  }
}

extension DownloadPlaces {
  /// Takes a place while no download is slow.
  fileprivate mutating func take(for download: RequestID, of client: Holder) -> Place {
    take(for: download, of: client) { _ in nil }
  }
}
