import CameraProtocol
import Foundation
import MediaLibrary
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  struct QuotaTests {
    @Test func `What goes beyond the quota is removed, and each removal is an event`() async throws
    {
      var quota = LibraryQuota()
      quota.cameras["cam"] = LibraryQuota.Limits(byteCount: 200_000, age: .seconds(86_400))
      let wanted = quota
      try await TestNode.run(configure: { $0.quota = wanted }) { test in
        let client = test.client
        try await client.follow("event/cam/library/")
        var taken: [WireAsset] = []
        while taken.reduce(0, { $0 + $1.byteCount }) < 400_000 {
          let photo = try await client.photo(.with { $0.camera = "cam" })
          taken.append(photo.result.asset)
          if taken.count == 1 { _ = try await client.protect(taken.map(\.id), true) }
        }
        let bytes = taken.reduce(0) { $0 + $1.byteCount }
        let removed = try await client.arrival { client -> [WireLibraryEvent]? in
          let events = client.events.compactMap { event -> WireLibraryEvent? in
            guard case .library(let library)? = event.event?.body else { return nil }
            return library
          }
          let gone = events.reduce(0) { $0 + $1.removed.byteCount }
          return bytes - gone <= 200_000 ? events : nil
        }
        // The first one is protected.
        #expect(removed.map(\.removed.id) == taken.dropFirst().prefix(removed.count).map(\.id))
        #expect(removed.allSatisfy { $0.reason == .size })
        let left = try await client.assets { $0.limit = 1000 }
        #expect(
          Set(left.map(\.id)) == Set(([taken[0]] + taken.dropFirst(removed.count + 1)).map(\.id)))
        let library = try await client.status().library
        #expect(library.usage.map(\.camera) == ["cam"])
        #expect(library.usage.first?.assets == UInt64(left.count))
        #expect(library.usage.first?.bytes == left.reduce(0) { $0 + $1.byteCount })
        #expect(library.quota.limits.map(\.maximumBytes) == [200_000])
        #expect(!library.hasQuotaError)
      }
    }

    @Test func `A quota that protected assets do not let be kept is said`() async throws {
      var quota = LibraryQuota()
      quota.all.byteCount = 1
      let wanted = quota
      try await TestNode.run(configure: { $0.quota = wanted }) { test in
        let client = test.client
        let status = try await client.status()
        #expect(status.library.quota.limits.map(\.camera) == [""])
        // The newest one stays, and so does a protected one.
        let first = try await client.photo(.with { $0.camera = "cam" }).result.asset
        _ = try await client.protect([first.id], true)
        let second = try await client.photo(.with { $0.camera = "cam" }).result.asset
        let third = try await client.photo(.with { $0.camera = "cam" }).result.asset
        while try await client.assets().contains(where: { $0.id == second.id }) {
          try await client.letPass(frames: 1)
        }
        while try await !client.status().library.hasQuotaError {
          try await client.letPass(frames: 1)
        }
        #expect(Set(try await client.assets().map(\.id)) == [first.id, third.id])
        let error = try await client.status().library.quotaError
        #expect(error.message.contains("protected, in use or the newest"))
      }
    }
  }
}
