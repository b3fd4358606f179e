import CameraProtocol
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

/// Lists and changes that a test makes by itself, behind a router.
@Suite(.timeLimit(.minutes(5))) struct RequestQueueTests {
  private struct Bench {
    let endpoint: String
    /// The limits of the lists that have begun; they tell the requests apart.
    let begun = Recorded<UInt32>()
    /// Each event lets one list end.
    let permits = Recorded<Void>()

    /// Runs `body` with lists of this many bytes.
    /// - Parameter noticesEnds: Whether the router hears of connections that have ended.
    static func run(
      byteCount: Int = 0, noticesEnds: Bool = true, _ body: (Bench) async throws -> Void
    ) async throws {
      try await RequestRouter.withBench { router, endpoint in
        let lists = await RequestQueue(ofQuestions: true)
        let changes = await RequestQueue(ofQuestions: false)
        let bench = Bench(endpoint: endpoint)
        await router.serve { request in
          switch request {
          case .assets(let body):
            .awaiting(isQuestion: true) { call in
              try await lists.run(call, cost: 32 + Double(body.limit)) {
                bench.begun.add(body.limit)
                await bench.permits.atLeast(bench.begun.events.count)
                let asset = WireAsset.with { $0.path = String(repeating: "a", count: byteCount) }
                call.finish(.assets(.with { $0.assets = [asset] }))
              }
            }
          case .protect(let body):
            .awaiting(mustNotRepeat: true) { call in
              try await changes.run(call, cost: 32 + Double(body.assets.count)) {
                bench.begun.add(0)
                await bench.permits.atLeast(bench.begun.events.count)
                call.finish(.protect(.init()))
              }
            }
          case .cancel(let body): .awaiting { await router.cancel(body, $0) }
          default: .direct(isQuestion: true) { $0.finish(.status(.init())) }
          }
        }
        if !noticesEnds { await router.ignoreEnds() }
        try await body(bench)
      }
    }

    func withClient(_ body: (TestClient) async throws -> Void) async throws {
      try await TestClient.with(
        control: endpoint, events: endpoint, frames: endpoint, body)
    }
  }

  private func list(_ limit: UInt32) -> WireRequest.OneOf_Body {
    .assets(.with { $0.limit = limit })
  }

  @Test func `Lists are made one at a time, and clients take turns`() async throws {
    try await Bench.run { bench in
      try await bench.withClient { first in
        for _ in 0..<3 { try await first.send(list(10), id: .random()) }
        await bench.begun.atLeast(1)
        try await bench.withClient { second in
          try await second.send(list(20), id: .random())
          // When the node answers, it has read the lists that were asked for before.
          for client in [first, second] { _ = try await client.ask(.status(.init())) }
          #expect(bench.begun.events == [10])
          for count in 2...4 {
            bench.permits.add()
            await bench.begun.atLeast(count)
            _ = try await first.ask(.status(.init()))
            #expect(bench.begun.events.count == count)
          }
          #expect(bench.begun.events.prefix(3).contains(20))
          bench.permits.add()
        }
      }
    }
  }

  @Test(arguments: [true, false])
  func `A list whose client has gone is not made, even if the node has yet to notice`(
    isNoticed: Bool
  ) async throws {
    try await Bench.run(noticesEnds: isNoticed) { bench in
      try await bench.withClient { client in
        try await client.send(list(1), id: .random())
        await bench.begun.atLeast(1)
        let gone = try RawPeer(bench.endpoint, as: "DEALER")
        for _ in 0..<5 { try gone.request(list(2)) }
        gone.endSending()
        await gone.waitForEnd()
        let last = RequestID.random()
        try await client.send(list(1000), id: last)
        for _ in 0..<2 { _ = try await client.ask(.status(.init())) }
        for _ in 0..<2 { bench.permits.add() }
        _ = try await client.final(last)
        #expect(bench.begun.events == [1, 1000])
      }
    }
  }

  @Test func `A change whose client has gone is made`() async throws {
    try await Bench.run { bench in
      let gone = try RawPeer(bench.endpoint, as: "DEALER")
      for _ in 0..<3 { try gone.request(.protect(.with { $0.assets = [RequestID.random().data] })) }
      await bench.begun.atLeast(1)
      gone.endSending()
      await gone.waitForEnd()
      #expect(bench.begun.events.count == 1)
      for _ in 0..<3 { bench.permits.add() }
      await bench.begun.atLeast(3)
    }
  }

  @Test func `A client that reads nothing gets no more lists, and others get theirs`() async throws
  {
    try await Bench.run(byteCount: 900_000) { bench in
      for _ in 0..<60 { bench.permits.add() }
      try await StoppedPeers.with { stopped in
        try await stopped.connect(to: bench.endpoint)
        for _ in 0..<40 { try await stopped.send(list(1), id: .random()) }
        await bench.begun.atLeast(2)
        try await bench.withClient { client in
          for _ in 0..<10 {
            guard case .assets? = try await client.ask(list(1000)).last?.wire.body else {
              throw Unexpected("the list of another client failed")
            }
          }
          // The system's buffers take some.
          #expect(bench.begun.events.count { $0 == 1 } < 20)
        }
      }
    }
  }

  @Test func `A list that waits for its turn can be cancelled, and ends when its time is over`()
    async throws
  {
    try await Bench.run { bench in
      try await bench.withClient { client in
        let (begun, waiting) = (RequestID.random(), RequestID.random())
        try await client.send(list(1), id: begun)
        await bench.begun.atLeast(1)
        let late = try await client.error(list(2), remaining: .milliseconds(10))
        #expect(late.code == .deadlineExceeded)
        try await client.send(list(3), id: waiting)
        #expect(try await client.cancel(waiting) == .cancelled)
        guard case .error(let error)? = try await client.final(waiting) else {
          throw Unexpected("the list was made")
        }
        #expect(error.code == .cancelled)
        #expect(try await client.cancel(begun) == .tooLate)
        bench.permits.add()
        _ = try await client.final(begun)
        #expect(bench.begun.events == [1])
      }
    }
  }
}

extension RequestRouter {
  fileprivate func ignoreEnds() { connection?.watch.onEnd { _ in } }
}
