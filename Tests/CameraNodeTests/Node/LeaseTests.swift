import CameraProtocol
import FoundationEssentials
import SwiftProtobuf
import Testing

extension NodeTests {
  struct LeaseTests {
    private func acquire(
      _ client: TestClient, _ edit: (inout WireLeaseAcquireRequest) -> Void = { _ in }
    ) async throws -> WireLeaseReply {
      guard
        case .lease(let reply) = try await client.ask(.leaseAcquire(.with { edit(&$0) })).last?
          .wire.body
      else { throw Unexpected("no lease") }
      return reply
    }

    @Test func `A lease is for one client, and everybody sees who has it`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let reply = try await acquire(client) { $0.holder = "calibration" }
        #expect(reply.lease.holder == "calibration")
        #expect(reply.lease.termNs == 10_000_000_000)
        try await client.state { $0.lease.holder == "calibration" }
        let brightness = WireControlsSetRequest.with {
          $0.settings = [
            .with {
              $0.id = "brightness"
              $0.value.integer = 7
            }
          ]
        }
        for request in [
          WireRequest.OneOf_Body.controlsSet(brightness), .sessionStop(.init()),
          .sessionStart(.init()), .sessionSuspend(.init()), .sessionResume(.init()),
          .leaseAcquire(.init()), .leaseRenew(.init()), .leaseRelease(.init()),
        ] {
          let error = try await client.error(request)
          #expect(error.code == .conflict && error.field == "lease")
          #expect(error.reason == .leased)
          #expect(error.message.hasPrefix("cam is leased to 'calibration'"))
        }
        _ = try #require(try await client.photo().jpeg)

        guard case .controls? = try await client.ask(.controlsSet(brightness), under: reply.id)
        else { throw Unexpected("the holder was refused") }
        guard
          case .lease(let released)? = try await client.ask(.leaseRelease(.init()), under: reply.id)
        else { throw Unexpected("no release") }
        #expect(!released.hasLease)
        guard
          case .error(let late)? = try await client.ask(.controlsSet(brightness), under: reply.id)
        else { throw Unexpected("a lease that has ended still counts") }
        #expect(late.code == .conflict && late.reason == .leaseEnded)
        guard case .controls? = try await client.ask(.controlsSet(brightness)).last?.wire.body
        else { throw Unexpected("nobody has the camera, and it is refused") }
      }
    }

    @Test func `An id is that of one camera's lease only`() async throws {
      try await TestNode.run(["left=synthetic:160x120@30", "right=synthetic:160x120@30"]) { test in
        let id = RequestID.random()
        let left = WireRequest.OneOf_Body.leaseAcquire(.with { $0.camera = "left" })
        guard case .lease? = try await test.client.ask(left, id: id).last?.wire.body
        else { throw Unexpected("no lease") }
        // On a connection of its own, because the node knows the first one's requests.
        try await test.withClient { other in
          let right = WireRequest.OneOf_Body.leaseAcquire(.with { $0.camera = "right" })
          guard case .error(let error) = try await other.ask(right, id: id).last?.wire.body
          else { throw Unexpected("two leases of one id") }
          #expect(error.code == .conflict && error.field == "id")
        }
        #expect(try await test.client.status(of: "right").cameras[0].hasLease == false)
      }
    }

    @Test func `A lease ends when its holder is silent for its term`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let mark = await client.eventCount
        let reply = try await acquire(client) { $0.termNs = 1_000_000_000 }
        try await client.state(from: mark) { $0.hasLease }
        let renewed = await client.eventCount
        guard case .lease(let later)? = try await client.ask(.leaseRenew(.init()), under: reply.id)
        else { throw Unexpected("not renewed") }
        #expect(later.lease.expiresMonotonicNs > reply.lease.expiresMonotonicNs)
        let ended = try await client.state(from: renewed) { !$0.hasLease }
        #expect(!ended.hasLease)
        #expect(try await acquire(client).lease.holder == "another client")
      }
    }

    @Test func `Acquiring it again under it changes it, and force ends it`() async throws {
      try await TestNode.run { test in
        let client = test.client
        let first = try await acquire(client)
        let body = WireLeaseAcquireRequest.with {
          $0.holder = "second"
          $0.termNs = 600_000_000_000
        }
        guard case .lease(let second)? = try await client.ask(.leaseAcquire(body), under: first.id)
        else { throw Unexpected("no lease") }
        #expect(second.id == first.id && second.lease.holder == "second")
        #expect(second.lease.since.monotonicNs == first.lease.since.monotonicNs)
        // An answer that was lost: the same request again.
        let id = RequestID.random()
        _ = try await client.ask(.leaseRelease(.with { $0.force = true }))
        for _ in 0..<2 {
          guard
            case .lease(let again) = try await client.ask(.leaseAcquire(.init()), id: id).last?.wire
              .body
          else { throw Unexpected("no lease") }
          #expect(again.id == id.data)
        }
        for _ in 0..<2 {
          guard case .lease? = try await client.ask(.leaseRelease(.init()), under: id.data)
          else { throw Unexpected("no release") }
        }
        #expect(try await acquire(client).id != first.id)
      }
    }
  }
}
