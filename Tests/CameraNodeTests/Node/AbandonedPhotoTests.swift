import CameraProtocol
import Foundation
import SwiftProtobuf
import Testing

@testable import CameraNode

extension NodeTests {
  struct AbandonedPhotoTests {
    @Test func `A photo of a moment far away gives its place to another when its client has gone`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let moment = try await client.status().now.monotonicNs + 1_000_000_000_000
        let photo = WireRequest.OneOf_Body.capture(.inline { $0.atMonotonicNs = moment })
        let ids = (0..<8).map { _ in RequestID.random() }
        try await test.withClient { first in
          try await test.withClient { second in
            for (number, id) in ids.enumerated() {
              let client = number < 4 ? first : second
              try await client.send(photo, id: id, remaining: .seconds(3600))
              _ = try await client.progress(id) { $0.map { _ in true } }
            }
            let error = try await client.error(photo, remaining: .seconds(3600))
            #expect(error.code == .busy && error.message.hasPrefix("8 photos"))
          }
        }
        // The first one's client comes back and repeats it.
        try await client.send(photo, id: ids[0], remaining: .seconds(3600))
        // The node may not know yet that the others have gone.
        while true {
          let id = RequestID.random()
          try await client.send(photo, id: id, remaining: .seconds(3600))
          let reply = try await client.arrival { client in
            client.replies.first { $0.wire.id == id.data }
          }
          if !reply.wire.final { break }
        }
        let (lost, error) = try await client.event { event -> (Data, WireError)? in
          guard case .failed(let error)? = event.capture.body, error.message.contains("was gone")
          else { return nil }
          return (event.capture.requestID, error)
        }
        #expect(error.code == .busy && error.retryable)
        #expect(ids[1...].map(\.data).contains(lost))
        // Everything about the lost photo was published before the answer to a later request.
        _ = try await client.photo()
        let ends = await client.events.compactMap(\.event).count { event in
          guard case .failed? = event.capture.body else { return false }
          return ids.map(\.data).contains(event.capture.requestID)
        }
        #expect(ends == 1)
      }
    }
  }
}
