import CameraProtocol
import SwiftProtobuf
import Testing

@testable import CameraNode

extension NodeTests {
  /// Requests that are cancelled.
  struct CancelTests {
    @Test func `A waiting photo is cancelled once`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let moment = try await client.status().now.monotonicNs + 20_000_000_000
        let id = RequestID.random()
        try await client.send(.capture(.inline { $0.atMonotonicNs = moment }), id: id)
        #expect(try await client.cancel(id) == .cancelled)
        guard case .error(let error)? = try await client.final(id) else { throw Unexpected(nil) }
        #expect(error.code == .cancelled)
        let code = try await client.event { event -> WireErrorCode? in
          guard case .capture(let capture)? = event.body, case .failed(let error)? = capture.body
          else { return nil }
          return error.code
        }
        #expect(code == .cancelled)
        #expect(try await client.cancel(id) == .tooLate)
      }
    }

    @Test func `A client that has lost its connection cancels over another one`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let moment = try await client.status().now.monotonicNs + 20_000_000_000
        let id = RequestID.random()
        try await client.send(.capture(.inline { $0.atMonotonicNs = moment }), id: id)
        _ = try await client.progress(id) { $0.map { _ in true } }
        #expect(try await test.withClient { try await $0.cancel(id) } == .cancelled)
        guard case .error(let error)? = try await client.final(id) else { throw Unexpected(nil) }
        #expect(error.code == .cancelled)
      }
    }

    @Test func `A finished request is too late to cancel, and an unknown one is unknown`()
      async throws
    {
      try await TestNode.run { test in
        let id = RequestID.random()
        _ = try await test.client.photo(id: id)
        #expect(try await test.client.cancel(id) == .tooLate)
        #expect(try await test.client.cancel(.random()) == .unknown)
      }
    }

    @Test func `A request that waits behind a camera's slow work can be cancelled`() async throws {
      try await TestNode.run { test in
        let client = test.client
        // Each changes the camera's format, which takes a while.
        for number in 0..<20 {
          try await client.send(
            .configure(.with { $0.pixelFormat = number.isMultiple(of: 2) ? "GREY" : "YUYV" }),
            id: .random())
        }
        let id = RequestID.random()
        try await client.send(.sessionStop(.init()), id: id)
        #expect(try await client.cancel(id) == .cancelled)
        guard case .error(let error)? = try await client.final(id) else { throw Unexpected(nil) }
        #expect(error.code == .cancelled)
        #expect(try await [.starting, .running].contains(client.camera().state))
        #expect(try await client.cancel(id) == .unknown, "it may be asked for again")
      }
    }
  }
}
