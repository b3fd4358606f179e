import CameraProtocol
import Capture
import OperatingSystem
import Testing

@testable import CameraNode

struct PhotoPlacesTests {
  private var places = PhotoPlaces()

  /// Takes places for `count` photos and returns their ids.
  private mutating func take(
    _ count: Int, for client: Holder, isLate: Bool = false
  ) throws -> [RequestID] {
    try (0..<count).map { _ in
      let id = RequestID.random()
      try places.take(id, for: client, isLate: isLate)
      return id
    }
  }

  private mutating func refusal(for client: Holder, isLate: Bool = false) -> String? {
    do throws(CaptureError) {
      let id = RequestID.random()
      try places.take(id, for: client, isLate: isLate)
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

  @Test mutating func `Photos of moments far away leave places for those of now`() throws {
    let ids = try take(4, for: [1], isLate: true)
    #expect(
      refusal(for: [1], isLate: true) == "4 photos of this connection wait for a moment that was "
        + "more than 10 s away: ask when the moment is nearer")
    _ = try take(4, for: [2], isLate: true)
    #expect(
      refusal(for: [3], isLate: true) == "8 photos wait for a moment that was more than 10 s away: "
        + "ask when the moment is nearer")
    for client in 1...3 { #expect(refusal(for: [UInt8(client)]) == nil) }
    places.free(ids[0])
    #expect(refusal(for: [3], isLate: true) == nil)
  }

  @Test mutating func `An abandoned photo of a moment far away loses its place when it is needed`()
    throws
  {
    let first = try take(4, for: [1], isLate: true)
    #expect(try places.take(.random(), for: [2], isLate: true) { _ in true } == nil)
    let made = try take(3, for: [2], isLate: true)
    places.made(first[0])
    let gone = [first[0], first[2], first[3], made[0]]
    #expect(refusal(for: [3], isLate: true) != nil)
    for lost in [first[2], first[3], made[0]] {
      #expect(try places.take(.random(), for: [3], isLate: true) { gone.contains($0) } == lost)
    }
    #expect(throws: CaptureError.self) {
      try places.take(.random(), for: [3], isLate: true) { gone.contains($0) }
    }
    #expect(try places.take(.random(), for: [4]) { _ in true } == nil)
  }

  @Test func `A moment is far away if it comes more than ten seconds after the request`() {
    let asked = MonotonicTime.now
    #expect(PhotoTiming.at(asked + .seconds(11)).isLate(since: asked))
    #expect(!PhotoTiming.at(asked + .seconds(9)).isLate(since: asked))
    #expect(!PhotoTiming.next.isLate(since: asked))
  }

  @Test mutating func `A client whose photos wait for the disk leaves places for others`() throws {
    for _ in 0..<24 { for id in try take(1, for: [1]) { places.made(id) } }
    #expect(
      refusal(for: [1]) == "this connection has 24 photos under way: wait for one to be stored")
    let others = try take(8, for: [2])
    #expect(refusal(for: [1]) != nil)
    places.free(others[0])
    #expect(refusal(for: [2]) == nil)
  }

  @Test mutating func `Clients that want much leave places for those that want one photo`() throws {
    // Sixteen clients ask for twelve photos each.
    for _ in 0..<12 { for client in 1...16 { _ = try? take(1, for: [UInt8(client)]) } }
    #expect(
      refusal(for: [1]) == "32 photos are under way, so each client gets one more only when it has "
        + "none: wait for yours")
    let ids = try (17...32).map { try take(1, for: [UInt8($0)])[0] }
    #expect(places.isFull)
    #expect(refusal(for: [33]) == "48 photos are under way: wait for one to be stored")
    places.free(ids[0])
    #expect(!places.isFull)
    #expect(refusal(for: [18]) != nil)
    #expect(refusal(for: [17]) == nil)
  }
}
