import CameraProtocol
import SwiftProtobuf
import TestSupport
import Testing

extension NodeTests {
  /// Photos that are requested repeatedly, over connections that break.
  struct ExactlyOnceTests {
    private struct Order {
      var id = RequestID.random()
      var request: WireCaptureRequest
      /// The indices of the clients that send it, in turn.
      var senders: [Int]
    }

    /// The number of events of each kind for one request.
    private struct Course {
      var exposures = 0
      var completed = 0
      var failed = 0
    }

    private func orders(_ count: Int, _ random: inout SeededGenerator) -> [Order] {
      (0..<count).map { number in
        Order(
          request: .inline {
            $0.transient = number.isMultiple(of: 2)
            if number.isMultiple(of: 3) { $0.next = .init() }
          },
          senders: (0..<Int.random(in: 1...4, using: &random)).map { _ in
            Int.random(in: 0..<4, using: &random)
          })
      }
    }

    private func withClients(
      of test: TestNode, _ clients: [TestClient] = [], _ body: ([TestClient]) async throws -> Void
    ) async throws {
      if clients.count == 4 { return try await body(clients) }
      try await test.withClient { try await withClients(of: test, clients + [$0], body) }
    }

    private func courses(_ events: [Publication]) -> [RequestID: Course] {
      var courses: [RequestID: Course] = [:]
      for case .capture(let event)? in events.map({ $0.event?.body }) {
        guard let id = RequestID(bytes: event.requestID) else { continue }
        switch event.body {
        case .progress(let progress):
          if progress.step == .didCapture { courses[id, default: Course()].exposures += 1 }
        case .completed: courses[id, default: Course()].completed += 1
        case .failed: courses[id, default: Course()].failed += 1
        case nil: break
        }
      }
      return courses
    }

    /// Each order is sent by its clients, whose connections break now and then, until it has its
    /// photo.
    private func place(
      _ orders: [Order], _ clients: [TestClient], _ random: inout SeededGenerator
    ) async throws {
      for order in orders {
        for sender in order.senders {
          try await clients[sender].send(.capture(order.request), id: order.id)
          if Int.random(in: 0..<3, using: &random) == 0 { try await clients[sender].reconnect() }
        }
      }
      for order in orders {
        // A request that was lost with its connection is sent once more.
        let client = clients[Int.random(in: 0..<clients.count, using: &random)]
        try await client.reconnect()
        // Kept steps may be replayed behind a final answer to an earlier try.
        let answer = try await client.ask(.capture(order.request), id: order.id)
          .last(where: \.wire.final)?.wire
        guard case .capture? = answer?.body else { throw Unexpected(answer) }
      }
    }

    @Test func `Every id has exactly one photo and one answer`() async throws {
      var random = SeededGenerator(for: "exactly once")
      let orders = orders(200, &random)
      try await TestNode.run { test in
        try await test.client.follow("event/cam/capture/")
        try await withClients(of: test) { clients in
          // At most as many photos at a time as the camera has room for.
          for start in stride(from: 0, to: orders.count, by: 8) {
            try await place(Array(orders[start..<start + 8]), clients, &random)
          }
          for order in orders {
            var answers: Set<WireReply> = []
            for client in clients {
              let replies = await client.replies.map(\.wire)
              answers.formUnion(replies.filter { $0.id == order.id.data && $0.final })
            }
            #expect(answers.count == 1, "\(order.id)")
          }
        }
        // The last event of this photo comes after those of all others.
        let last = RequestID.random()
        _ = try await test.client.photo(id: last)
        _ = try await test.client.arrival { client in
          courses(client.events)[last].flatMap { $0.completed + $0.failed > 0 ? $0 : nil }
        }
        let taken = courses(await test.client.events)
        #expect(Set(taken.keys) == Set(orders.map(\.id) + [last]))
        for (id, course) in taken {
          #expect((course.exposures, course.completed, course.failed) == (1, 1, 0), "\(id)")
        }
        let reply = try await test.client.ask(.assets(.with { $0.limit = 1000 })).last
        let stored = try #require(reply).wire.assets.assets.map(\.requestID)
        let kept = orders.filter { !$0.request.transient }.map(\.id.data)
        #expect(stored.count == kept.count)
        #expect(Set(stored) == Set(kept))
      }
    }
  }
}
