import CameraProtocol
import FoundationEssentials
import OperatingSystem
import SwiftProtobuf
import TestSupport
import Testing

@testable import CameraNode

extension NodeTests {
  /// Photos of a moment that is chosen when all cameras of a rig are ready.
  struct ShotTests {
    private static let pair = ["left=synthetic:160x120@30", "right=synthetic:160x120@50"]

    private func body(
      _ shot: RequestID, of camera: String = "",
      _ edit: (inout WireShotPrepareRequest) -> Void = { _ in }
    ) -> WireRequest.OneOf_Body {
      .shotPrepare(
        .with {
          $0.shot = shot.data
          $0.capture.camera = camera
          edit(&$0)
        })
    }

    private func prepare(
      _ client: TestClient, _ shot: RequestID, of camera: String = "", under lease: Data = Data(),
      _ edit: (inout WireShotPrepareRequest) -> Void = { _ in }
    ) async throws -> WireShotPrepared {
      let reply = try await client.ask(body(shot, of: camera, edit), under: lease)
      guard case .shotPrepared(let prepared)? = reply else { throw Unexpected("\(reply as Any)") }
      return prepared
    }

    private func commit(
      _ shot: RequestID, of camera: String = "", at moment: Int64
    ) -> WireRequest.OneOf_Body {
      .shotCommit(
        .with {
          $0.camera = camera
          $0.shot = shot.data
          $0.atMonotonicNs = moment
        })
    }

    private func abort(_ shot: RequestID, of camera: String = "") -> WireRequest.OneOf_Body {
      .shotAbort(
        .with {
          $0.camera = camera
          $0.shot = shot.data
        })
    }

    private func refusal(
      _ client: TestClient, _ body: WireRequest.OneOf_Body, under lease: Data = Data()
    ) async throws -> WireError {
      let reply = try await client.ask(body, under: lease)
      guard case .error(let error)? = reply else { throw Unexpected("\(reply as Any)") }
      return error
    }

    /// The events of shots so far, as their cameras and steps.
    private func steps(_ client: TestClient, count: Int) async throws -> [String] {
      try await client.arrival { client in
        let steps = client.events.compactMap { $0.event?.shot }.filter { $0.body != nil }.map {
          "\($0.camera) \(Self.name($0.body))"
        }
        return steps.count >= count ? steps : nil
      }
    }

    private static func name(_ body: WireShotEvent.OneOf_Body?) -> String {
      switch body {
      case .prepared: "prepared"
      case .committed: "committed"
      case .completed: "completed"
      case .failed: "failed"
      case .aborted: "aborted"
      case .expired: "expired"
      case nil: "nothing"
      }
    }

    @Test func `Two cameras take the frames nearest one moment, and are free again`() async throws {
      try await TestNode.run(Self.pair) { test in
        let client = test.client
        try await client.follow()
        for camera in ["left", "right"] { try await client.letPass(frames: 5, of: camera) }
        let shot = RequestID.random()
        let cameras = ["left", "right"]
        var parts: [WireShotPrepared] = []
        for camera in cameras {
          parts.append(try await prepare(client, shot, of: camera) { $0.holder = "rig" })
        }
        #expect(parts.map(\.camera) == cameras)
        #expect(parts.map(\.intervalNs) == [33_333_333, 20_000_000])
        for part in parts {
          #expect(part.ringNs > 0 && part.now.monotonicNs >= part.newest.monotonicNs)
          #expect(part.newest.monotonicNs > 0)
          try await client.state(of: part.camera) { $0.lease.holder == "rig" }
        }
        let moment = parts[1].now.monotonicNs + 200_000_000
        var ids: [RequestID] = []
        for part in parts {
          ids.append(.random())
          try await client.send(
            commit(shot, of: part.camera, at: moment), id: ids[ids.count - 1], lease: part.lease)
        }
        for (part, id) in zip(parts, ids) {
          guard case .capture(let photo)? = try await client.final(id) else {
            Issue.record("there is no photo of \(part.camera)")
            continue
          }
          #expect(photo.asset.camera == part.camera && photo.asset.requestID == id.data)
          #expect(photo.resolved.offsetNs == photo.resolved.timestamp.monotonicNs - moment)
          // A busy machine may lose the nearest frame.
          #expect(photo.resolved.offsetNs.magnitude < 4 * part.intervalNs)
          try await client.state(of: part.camera) { !$0.hasLease }
        }
        let steps = try await steps(client, count: 6)
        for camera in cameras {
          #expect(
            steps.filter { $0.hasPrefix(camera) }
              == ["prepared", "committed", "completed"].map { "\(camera) \($0)" })
        }
      }
    }

    @Test func `A late commit is answered from the ring, and one that is too late is LATE`()
      async throws
    {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        try await client.letPass(frames: 20)
        let shots = [RequestID.random(), .random()]
        let part = try await prepare(client, shots[0])
        let moment = part.newest.monotonicNs
        try await client.letPass(frames: 3)
        let id = RequestID.random()
        for _ in 0..<2 {  // an answer that was lost
          try await client.send(commit(shots[0], at: moment), id: id, lease: part.lease)
          guard case .capture(let photo)? = try await client.final(id) else {
            throw Unexpected("there is no photo")
          }
          #expect(photo.resolved.timestamp.monotonicNs == moment && photo.resolved.offsetNs == 0)
        }
        let other = try await prepare(client, shots[1])
        let late = try await refusal(client, commit(shots[1], at: 1), under: other.lease)
        #expect(late.code == .frameUnavailable && late.reason == .late)
        #expect(late.field == "shot_commit.when")
        #expect(
          try await steps(client, count: 6)
            == ["prepared", "committed", "completed", "prepared", "committed", "failed"].map {
              "cam \($0)"
            })
      }
    }

    @Test func `A shot ends with its lease, and gives its place back`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.follow()
        let shot = RequestID.random()
        let part = try await prepare(client, shot) { $0.termNs = 1_000_000_000 }
        #expect(try await steps(client, count: 2) == ["cam prepared", "cam expired"])
        let error = try await refusal(client, commit(shot, at: 1), under: part.lease)
        #expect(error.code == .conflict && error.reason == .noSuchShot)

        // Under a lease of the client's own, all its places are taken, and are free afterwards.
        guard case .lease(let lease)? = try await client.ask(.leaseAcquire(.init())).last?.wire.body
        else { throw Unexpected("no lease") }
        var shots: [RequestID] = []
        for _ in 0..<PhotoPlaces.unmadePerClient {
          shots.append(.random())
          #expect(
            try await prepare(client, shots[shots.count - 1], under: lease.id).lease == lease.id)
        }
        let crowd = try await refusal(client, body(.random()), under: lease.id)
        #expect(crowd.code == .busy && crowd.reason == .overflow)
        guard case .shotAbort(let reply)? = try await client.ask(abort(shots[0]), under: lease.id)
        else { throw Unexpected("not aborted") }
        #expect(reply.aborted)
        guard case .shotAbort(let again)? = try await client.ask(abort(shots[0]), under: lease.id)
        else { throw Unexpected("not aborted") }
        #expect(!again.aborted)
        _ = try await prepare(client, .random(), under: lease.id)
        _ = try await client.ask(.leaseRelease(.init()), under: lease.id)
        let ends = try await steps(client, count: 2 + 14 + 12)
        #expect(ends.count { $0 == "cam expired" } == 13 && ends.count { $0 == "cam aborted" } == 1)
        for _ in 0..<PhotoPlaces.unmadePerClient { _ = try await client.photo() }
      }
    }

    @Test func `Only who knows the lease commits or aborts`() async throws {
      try await TestNode.run { test in
        let shot = RequestID.random()
        let part = try await prepare(test.client, shot) { $0.holder = "rig" }
        try await test.withClient { other in
          for request in [commit(shot, at: part.newest.monotonicNs), abort(shot), body(.random())] {
            let error = try await refusal(other, request)
            #expect(error.code == .conflict && error.reason == .leased)
          }
          let brightness = WireControlsSetRequest.settings(["brightness": 3])
          #expect(try await refusal(other, .controlsSet(brightness)).reason == .leased)
          _ = try #require(try await other.photo().jpeg)
        }
        let twice = try await refusal(test.client, body(shot), under: part.lease)
        #expect(twice.code == .conflict && twice.field == "shot_prepare.shot")
      }
    }

    @Test func `A moment of the wall clock needs a clock that is known well enough`() async throws {
      try await TestNode.run { test in
        let client = test.client
        // No clock is known so well. A node that knows its clock is a program of its own: see
        // test_shots.py.
        let tooWrong = try await refusal(client, body(.random()) { $0.wallErrorNs = 1 })
        #expect(tooWrong.code == .conflict && tooWrong.reason == .noReferenceClock)
        #expect(tooWrong.field == "shot_prepare.wall_error_ns")
        let shot = RequestID.random()
        let part = try await prepare(client, shot)
        let commit = WireShotCommitRequest.with {
          $0.shot = shot.data
          $0.atWallNs = part.now.wallNs
        }
        let error = try await refusal(client, .shotCommit(commit), under: part.lease)
        #expect(error.code == .invalidArgument && error.field == "shot_commit.when")
      }
    }

    @Test func `A camera that does not stream is not ready`() async throws {
      try await TestNode.run { test in
        let client = test.client
        _ = try await client.ask(.sessionStop(.init()))
        let stopped = try await refusal(client, body(.random()))
        #expect(stopped.code == .notRunning && stopped.reason == .sessionStopped)
        _ = try await client.ask(.sessionStart(.init()))
        try await client.follow()
        try await client.set(["inject_fatal_error": 1])
        try await client.state { [.interrupted, .failed].contains($0.state) }
        let gone = try await refusal(client, body(.random()))
        #expect(gone.reason == .notReady)
        #expect(try await client.status().cameras[0].hasLease == false)
      }
    }

    @Test func `The tolerance and the settings of a capture hold`() async throws {
      try await TestNode.run { test in
        let client = test.client
        try await client.letPass(frames: 10)
        let shots = [RequestID.random(), .random()]
        let exact = try await prepare(client, shots[0]) {
          $0.capture.toleranceNs = 1
          $0.capture.outputs = [.with { $0.format = .png }]
        }
        let moment = exact.newest.monotonicNs
        let error = try await refusal(client, commit(shots[0], at: moment + 2), under: exact.lease)
        #expect(error.code == .frameUnavailable && error.field.isEmpty)
        let part = try await prepare(client, shots[1]) {
          $0.capture.toleranceNs = 1
          $0.capture.outputs = [.with { $0.format = .png }]
        }
        guard
          case .capture(let photo)? = try await client.ask(
            commit(shots[1], at: part.newest.monotonicNs), under: part.lease)
        else { throw Unexpected("there is no photo") }
        #expect(photo.asset.mediaType == "image/png")
        let impossible = try await refusal(
          client,
          body(.random()) {
            $0.capture.dimensions = .with { ($0.width, $0.height) = (5000, 5000) }
          })
        #expect(impossible.field == "shot_prepare.capture.dimensions")
        #expect(try await client.status().cameras[0].hasLease == false)
      }
    }

    @Test func `An idle camera streams when its shot is prepared, and until that ends`()
      async throws
    {
      try await TestNode.run(["cam=synthetic:160x120@30,idle=50ms"]) { test in
        let client = test.client
        try await client.follow()
        try await client.state { $0.state == .idle }
        let mark = await client.eventCount
        let shot = RequestID.random()
        let part = try await prepare(client, shot)
        try await client.state(from: mark) { $0.state == .running }
        let ended = await client.eventCount
        _ = try await client.ask(abort(shot), under: part.lease)
        try await client.state(from: ended) { $0.state == .idle }
      }
    }
  }
}
