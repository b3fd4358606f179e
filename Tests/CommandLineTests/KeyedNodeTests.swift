import CameraClient
import CameraNode
import CameraProtocol
import Foundation
import Keys
import OperatingSystem
import TestSupport
import Testing
import ZeroMQ

/// What a node with keys lets each kind of peer do, over real sockets.
@Suite(.timeLimit(.minutes(5)))
struct KeyedNodeTests {
  /// Now, in nanoseconds since 1970.

  private func failure(
    _ node: KeyedNode, _ credentials: Credentials?,
    _ body: @Sendable @escaping (CameraBus) async throws -> Void
  ) async throws -> CameraBusError? {
    do {
      try await node.withBus(credentials) { bus in try await body(bus) }
      return nil
    } catch let error as CameraBusError {
      return error
    }
  }

  @Test func `Who has no authorized key is told so, and counted`() async throws {
    try await KeyedNode.run { node in
      let unknown = try node.credentials(.generate())
      let expired = try CurveKeyPair.generate()
      try node.keys.authorize(
        AuthorizedKey(name: "old", key: expired.publicKey, role: .viewer, expiry: 1))
      let other = try CurveKeyPair.generate()
      let known = try await node.authorize("robot", .operator)
      let mistaken = try Credentials(
        secretKey: known.secretKey.z85, nodeKey: other.publicKey.z85)
      for (credentials, code, words) in [
        (nil, CameraBusError.Code.keyRequired, "camctl keys invite NAME"),
        // A key may begin with a hyphen, and then the command says that it is no option.
        (unknown, .notAuthorized, " '\(unknown.publicKey)'"),
        (try node.credentials(expired), .notAuthorized, "authorize"),
        (mistaken, .wrongNode, "another invitation"),
      ] as [(Credentials?, CameraBusError.Code, String)] {
        let error = try await failure(node, credentials) { bus in _ = try await bus.status() }
        #expect(error?.code == code)
        #expect(error?.message.contains(words) == true, "\(String(describing: error))")
      }
      try await node.withBus(node.owner) { bus in
        let status = try await bus.status()
        #expect(status.refusedConnections >= 3)
      }
    }
  }

  @Test func `A key that was just authorized is let in`() async throws {
    try await KeyedNode.run { node in
      for name in ["first", "second", "third"] {
        let pair = try CurveKeyPair.generate()
        try node.keys.authorize(AuthorizedKey(name: name, key: pair.publicKey, role: .viewer))
        try await node.withBus(node.credentials(pair)) { bus in _ = try await bus.status() }
      }
    }
  }

  @Test func `A copy of a key's file changes nothing, and is named`() async throws {
    try await KeyedNode.run { node in
      let pair = try await node.authorize("robot", .operator)
      try await node.withBus(node.credentials(pair)) { bus in
        let copy = try AuthorizedKey(name: "a-copy", key: pair.publicKey, role: .controller)
        try await node.changing {
          try KeyFile("\(node.keys.authorizedFolder)/a-copy.key").write(copy.certificate.text)
        } until: {
          $0.mistakes.contains { $0.hasPrefix("a-copy has the same key as robot") }
        }
        let role = try await bus.status().access.role
        #expect(role == .operator)
        _ = try await bus.camera("left").capture()
      }
      let role = try await node.withBus(node.credentials(pair)) {
        try await $0.status().access.role
      }
      #expect(role == .operator)
    }
  }

  @Test(
    arguments: [
      (Role.viewer, "capture", KeyRole.operator), (.viewer, "delete", .controller),
      (.operator, "delete", .controller), (.operator, "session", .controller),
      (.operator, "capture", nil), (.controller, "delete", nil), (.viewer, "assets", nil),
    ] as [(Role, String, KeyRole?)])
  func `A role may do what it is for, and no more`(
    role: Role, request: String, needed: KeyRole?
  ) async throws {
    try await KeyedNode.run { node in
      let pair = try await node.authorize("robot", role)
      let error = try await failure(node, node.credentials(pair)) { bus in
        switch request {
        case "capture": _ = try await bus.camera("left").capture()
        case "delete": _ = try await bus.delete([Identifier(RequestID.random())])
        case "session": _ = try await bus.camera("left").stopSession()
        default: _ = try await bus.assets()
        }
        let access = try await bus.status().access
        #expect((access.role.rawValue, access.cameras) == (role.rawValue, nil))
      }
      #expect(error?.code == needed.map { _ in .forbidden })
      #expect(error?.neededRole == needed)
      guard needed != nil else { return }
      try await node.withBus(node.owner) { bus in
        let status = try await bus.status()
        #expect(status.forbiddenRequests == 1)
      }
    }
  }

  @Test func `A revoked key's requests and subscriptions end, and nobody else's`() async throws {
    try await KeyedNode.run { node in
      let (kept, gone) = (
        try await node.authorize("kept", .operator), try await node.authorize("gone", .operator)
      )
      try await node.withBus(node.credentials(kept)) { keeper in
        let frames = try keeper.camera("left").frames(policy: .newest(1000))
        var kept = frames.makeAsyncIterator()
        _ = try await kept.next()
        try await node.withBus(node.credentials(gone)) { bus in
          let camera = try bus.camera("left")
          var own = camera.frames().makeAsyncIterator()
          _ = try await own.next()
          var events = bus.events().makeAsyncIterator()
          _ = try await events.next()
          try await node.revoke("gone")
          let error = await #expect(throws: CameraBusError.self) { _ = try await camera.status() }
          #expect(error?.code == .notAuthorized)
          while let event = try await events.next() {
            guard case .disconnected(let reason) = event else { continue }
            #expect(reason?.code == .notAuthorized)
            break
          }
          _ = try await node.authorize("back", .operator, gone)
          while let event = try await events.next() {
            if case .reconnected = event { break }
          }
          _ = try await own.next()
        }
        _ = try await kept.next()
        #expect(frames.losses.lostOnBus == 0)
      }
    }
  }

  @Test func `A key's end in time ends its connections`() async throws {
    try await KeyedNode.run { node in
      let second = Int64(1_000_000_000)
      let pair = try await node.authorize("brief", .viewer)
      try await node.withBus(node.credentials(pair)) { bus in
        _ = try await bus.status()
        let end = WallTime.nowNanoseconds / second * second + 2 * second
        try node.keys.replace(
          AuthorizedKey(name: "brief", key: pair.publicKey, role: .viewer, expiry: end))
        // Ends with the connection, which is not made again.
        let error = await #expect(throws: CameraBusError.self) {
          while true { _ = try await bus.status() }
        }
        #expect(error?.code == .notAuthorized || error?.code == .forbidden)
        #expect(WallTime.nowNanoseconds >= end)
      }
    }
  }

  // MARK: Keys that are limited to a camera

  @Test func `A key for one camera has nothing of another`() async throws {
    try await KeyedNode.run { node in
      let pair = try await node.authorize("robot", .controller, cameras: ["left"])
      try await node.withBus(node.owner) { owner in
        let other = try #require(try await owner.camera("right").capture().asset)
        try await node.withBus(node.credentials(pair)) { bus in
          let right = try bus.camera("right")
          for request in [
            { _ = try await right.status() }, { _ = try await right.capture() },
            { _ = try await right.controls() }, { _ = try await right.formats() },
            { _ = try await bus.assets(AssetFilter(camera: "right")) },
          ] as [@Sendable () async throws -> Void] {
            let error = await #expect(throws: CameraBusError.self) { try await request() }
            #expect(error?.code == .forbidden)
            #expect(error?.message.contains("robot is for left and not for right") == true)
          }
          let status = try await bus.status()
          #expect(status.cameras.map(\.name) == ["left"])
          #expect((status.access.role, status.access.cameras) == (.controller, ["left"]))
          #expect(try await bus.camera().name == "left")
          let own = try #require(try await bus.camera().capture().asset)
          #expect(try await bus.assets().map(\.id) == [own.id])
          let error = await #expect(throws: CameraBusError.self) {
            _ = try await bus.data(of: other)
          }
          #expect(error?.code == .noSuchAsset)
          let changes = try await bus.delete([other.id, own.id])
          #expect(changes.map { $0.errorCode } == [.noSuchAsset, nil])
        }
        #expect(try await owner.assets().map(\.id) == [other.id])
      }
    }
  }

  @Test(arguments: ["", "frame/", "event/", "frame/right/", "event/right/", "event/_node/"])
  func `A subscription of a key for one camera brings nothing of another`(
    prefix: String
  ) async throws {
    try await KeyedNode.run { node in
      let pair = try await node.authorize("robot", .viewer, cameras: ["left"])
      try await node.withBus(node.owner) { owner in
        // Both cameras publish meanwhile.
        var frames = try owner.camera("right").frames().makeAsyncIterator()
        let events = owner.events()
        var all = events.makeAsyncIterator()
        _ = try await all.next()
        let status = try await node.withBus(node.credentials(pair)) { try await $0.status() }
        #expect(status.eventsEndpoint != node.endpoints.events)
        for endpoint in [status.eventsEndpoint, status.framesEndpoint] {
          let subscriber = try await KeyedSubscriber(
            endpoint, pair, of: node, prefixes: [prefix, "heartbeat/"])
          await subscriber.topics.wait { $0.filter { $0 == "heartbeat/" }.count >= 2 }
          _ = try await owner.camera("right").capture()
          _ = try await frames.next()
          let before = subscriber.topics.events.count
          await subscriber.topics.wait { $0.dropFirst(before).contains("heartbeat/") }
          for topic in subscriber.topics.events where topic != "heartbeat/" {
            #expect(topic.split(separator: "/")[1] == "left")
          }
          for heartbeat in subscriber.heartbeats.events {
            #expect(!heartbeat.contains("right") && !heartbeat.contains("_node"))
          }
          await subscriber.close()
        }
      }
    }
  }

  @Test func `Limited keys use the ports that they may, of those that are free`() async throws {
    let taken = try LoopbackSocket()
    let first = try #require(taken.endpoint.split(separator: ":").last.flatMap { UInt16($0) })
    let ports = first...first + 40
    try await KeyedNode.run(limitedPorts: ports) { node in
      var endpoints: Set<String> = []
      for camera in ["left", "right"] {
        let pair = try await node.authorize(camera, .viewer, cameras: [camera])
        try await node.withBus(node.credentials(pair)) { bus in
          let status = try await bus.status()
          for endpoint in [status.eventsEndpoint, status.framesEndpoint] {
            #expect(ports.dropFirst().contains { endpoint.hasSuffix(":\($0)") }, "\(endpoint)")
          }
          var frames = try bus.camera(camera).frames().makeAsyncIterator()
          #expect(try await frames.next() != nil)
        }
        let status = try await node.withBus(node.credentials(pair)) { try await $0.status() }
        endpoints.formUnion([status.eventsEndpoint, status.framesEndpoint])
      }
      #expect(endpoints.count == 4)
    }
    withExtendedLifetime(taken) {}
  }

  @Test func `A revoked key's connection ends also if nothing has come over it`() async throws {
    try await KeyedNode.run { node in
      let pair = try await node.authorize("robot", .viewer)
      let peer = try await SilentPeer(node.endpoints.control, pair, of: node)
      await peer.events.wait { $0.contains(.handshakeSucceeded) }
      try await node.revoke("robot")
      await peer.events.wait { $0.contains(.disconnected) }
      await peer.close()
    }
  }

  @Test func `A folder of keys that is replaced is followed`() async throws {
    try await KeyedNode.run { node in
      _ = try await node.authorize("robot", .viewer)
      let (path, copy) = (node.keys.path, node.keys.path + "-copy")
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      try FileManager.default.moveItem(atPath: path, toPath: path + "-old")
      try FileManager.default.moveItem(atPath: copy, toPath: path)
      try await node.revoke("robot")
      // As the first one did.
      _ = try await node.authorize("robot", .viewer)
    }
  }

  @Test func `A key for one camera is refused where all cameras are published`() async throws {
    try await KeyedNode.run { node in
      let pair = try await node.authorize("robot", .viewer, cameras: ["left"])
      for endpoint in [node.endpoints.events, node.endpoints.frames] {
        let subscriber = try await KeyedSubscriber(endpoint, pair, of: node, prefixes: [""])
        await subscriber.failures.atLeast(1)
        #expect(subscriber.failures.events.first == .refused(status: 400))
        #expect(subscriber.topics.events.isEmpty)
        await subscriber.close()
      }
    }
  }
}

extension AssetChange {
  fileprivate var errorCode: CameraBusError.Code? {
    if case .failure(let error) = outcome { error.code } else { nil }
  }
}
