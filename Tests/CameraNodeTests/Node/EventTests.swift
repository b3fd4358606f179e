import CameraProtocol
import Testing

extension NodeTests {
  struct EventTests {
    @Test func `Every topic counts without gaps, and heartbeats repeat the last number`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        for value in Int64(1)...5 { try await client.set(["brightness": value]) }
        _ = try await client.photo()
        let mark = await client.eventCount
        let heartbeat = try await client.arrival { client in
          client.events.dropFirst(mark).lazy.compactMap(\.heartbeat).first
        }
        let events = await client.events
        let epoch = try #require(events.first?.header.epoch)
        #expect(events.allSatisfy { $0.header.epoch == epoch })
        for (topic, group) in Dictionary(grouping: events, by: \.topic) {
          let sequences = group.map(\.header.sequence)
          let first = try #require(sequences.first)
          #expect(sequences == Array(first..<first + UInt64(group.count)), "\(topic)")
        }
        let last = Dictionary(
          uniqueKeysWithValues: heartbeat.topics.map { ($0.topic, $0.lastSequence) })
        #expect(last["event/cam/control/"] == 5)
        #expect(last["event/cam/capture/"] == 5, "four steps and the end")
        #expect(last["event/cam/state/"] != nil)
        let snapshot = try await client.status().topics
        #expect(Set(snapshot.map(\.topic)) == Set(last.keys))
      }
    }

    @Test func `The snapshot includes all events up to the numbers it names`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        try await client.ask(.sessionStop(WireSessionStopRequest()))
        let status = try await client.status()
        let last = status.topics.first { $0.topic == "event/cam/state/" }?.lastSequence
        let published = try await client.arrival { client in
          client.events.first { $0.topic == "event/cam/state/" && $0.header.sequence == last }
        }
        #expect(status.cameras.first?.state == .stopped)
        guard case .state(let state)? = published.event?.body else { throw Unexpected(nil) }
        #expect(state.state == .stopped)
      }
    }

    @Test func `A photo's steps and its end are published to all clients`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow("event/cam/capture/")
        let id = RequestID.random()
        let photo = try await test.withClient { try await $0.photo(id: id) }
        let completed = try await client.event { event -> WireCaptureResult? in
          guard case .capture(let capture)? = event.body,
            case .completed(let result)? = capture.body
          else { return nil }
          return result
        }
        #expect(completed == photo.result)
        let steps = await client.events.compactMap(\.event).compactMap { event in
          event.capture.requestID == id.data && event.capture.progress.step != .unspecified
            ? event.capture.progress.step : nil
        }
        #expect(steps == [.willBegin, .willCapture, .didCapture, .didProcess])
      }
    }
  }
}
