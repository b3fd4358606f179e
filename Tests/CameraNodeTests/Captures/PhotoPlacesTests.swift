import CameraProtocol
import Capture
import Testing

@testable import CameraNode

struct PhotoPlacesTests {
  private var places = PhotoPlaces()

  /// Takes places for `count` photos and returns their ids.
  private mutating func take(_ count: Int, for client: ClientAddress) throws -> [RequestID] {
    try (0..<count).map { _ in
      let id = RequestID.random()
      try places.take(id, for: client)
      return id
    }
  }

  private mutating func refusal(for client: ClientAddress) -> String? {
    do throws(CaptureError) {
      let id = RequestID.random()
      try places.take(id, for: client)
      places.free(id)
      return nil
    } catch {
      #expect(error.code == .overloaded)
      return error.message
    }
  }

  @Test mutating func `A client that waits for many pictures is refused alone`() throws {
    let ids = try take(12, for: [1])
    #expect(refusal(for: [1]) == "this connection waits for 12 pictures: wait for one of them")
    #expect(refusal(for: [2]) == nil)
    places.made(ids[0])
    #expect(refusal(for: [1]) == nil)
    places.free(ids[1])
    #expect(try take(2, for: [1]).count == 2)
    #expect(refusal(for: [1]) != nil)
  }

  @Test mutating func `A client whose photos wait for the disk leaves places for others`() throws {
    for _ in 0..<24 { for id in try take(1, for: [1]) { places.made(id) } }
    #expect(
      refusal(for: [1]) == "this connection has 24 photos under way: wait for one to be stored")
    #expect(!places.isFull)
    let others = try take(8, for: [2])
    #expect(places.isFull)
    #expect(refusal(for: [3]) == "32 photos are under way: wait for one to be stored")
    places.free(others[0])
    #expect(!places.isFull)
    #expect(refusal(for: [3]) == nil)
  }
}
