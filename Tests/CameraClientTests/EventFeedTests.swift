import CameraProtocol
import EventLoop
import SwiftProtobuf
import Testing

@testable import CameraClient

@Suite(.timeLimit(.minutes(1)))
struct EventFeedTests {
  private static let topic = Topic.event(camera: "cam", kind: .state)

  /// A reader with room for the snapshot alone, until it is given more.
  private final class Reader: Sendable {
    let told: AsyncStream<NodeEvent>
    private let continuation: AsyncStream<NodeEvent>.Continuation
    private let room = Mutex(1)

    init() {
      (told, continuation) = AsyncStream.makeStream(of: NodeEvent.self)
    }

    func take(_ outcome: EventFeed.Outcome) -> Bool {
      guard case .event(let event) = outcome else { return true }
      let hasRoom = room.withLock { room in
        room -= 1
        return room >= 0
      }
      // Refusals are told too, as gaps of nothing.
      continuation.yield(hasRoom ? event : .gap(missed: 0))
      return hasRoom
    }

    func makeRoom() { room.withLock { $0 = .max } }
  }

  @Test func `A reader that had no room is told how much it lost, and the state after it`()
    async throws
  {
    try await withFakeNode { node, bus in
      let reader = Reader()
      let connection = bus.connection
      let feed = EventFeed(ofCamera: nil, connection, timeout: .seconds(20)) { reader.take($0) }
      connection.perform { _ in feed.assumeIsolated { $0.open() } }
      var told = reader.told.makeAsyncIterator()
      guard case .snapshot? = await told.next() else {
        Issue.record("the first is no snapshot")
        return
      }
      try await EventTests.subscribed(node)
      for sequence in 1...3 as ClosedRange<UInt64> {
        try await node.publish(EventTests.state(.ready), on: Self.topic, sequence)
        // Each is refused once: by itself, or as part of the gap.
        guard case .gap(missed: 0)? = await told.next() else {
          Issue.record("there was room")
          return
        }
      }
      reader.makeRoom()
      await node.setLastSequence(4, of: Self.topic)
      try await node.publish(EventTests.state(.ready), on: Self.topic, 4)
      guard case .gap(missed: 3)? = await told.next() else {
        Issue.record("the gap is not told")
        return
      }
      guard case .event? = await told.next(), case .snapshot? = await told.next() else {
        Issue.record("the state after the gap is not told")
        return
      }
      connection.perform { _ in feed.assumeIsolated { $0.close() } }
    }
  }
}
