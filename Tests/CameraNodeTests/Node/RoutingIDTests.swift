import CameraProtocol
import Glibc
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode

extension NodeTests {
  /// Peers that give themselves the routing id of another client.
  struct RoutingIDTests {
    private func withIpc(
      _ body: (TestNode, _ control: String) async throws -> Void
    ) async throws {
      func configure(_ configuration: inout NodeConfiguration) {
        configuration.ipcFolder = configuration.library
      }
      try await TestNode.run(configure: configure) { test in
        try await body(test, "ipc://\(test.library)/control")
      }
    }

    private func ask(_ peer: RawPeer) throws {
      try peer.request(.status(.init()))
      #expect(try peer.receive(300).count == 300, "a status is longer")
    }

    @Test(arguments: [false, true])
    func `Clients with the same routing id each get their replies`(isLong: Bool) async throws {
      try await withIpc { test, ipc in
        for control in [test.node.endpoints.control, ipc] {
          let peers = try (0..<3).map { _ in
            let peer = try RawPeer(control, as: "DEALER", routingID: "same", isLong: isLong)
            try ask(peer)
            return peer
          }
          for peer in peers { try ask(peer) }
        }
      }
    }

    @Test func `A routing id is found however the handshake is cut`() async throws {
      try await withIpc { _, control in
        let peers = try (0..<2).map { _ in
          let peer = try RawPeer(silent: control)
          let connection = try #require(PeerConnection(descriptor: peer.descriptor))
          for byte in RawPeer.handshake(as: "DEALER", routingID: "same") {
            try peer.send([byte])
            while connection.backlog?.waiting != 0 { sched_yield() }
          }
          try peer.receiveHandshake()
          try ask(peer)
          return peer
        }
        for peer in peers { try ask(peer) }
      }
    }

    /// Such peers have their routing id elsewhere.
    @Test func `Peers that speak an older version of ZMTP lose their connection`() async throws {
      try await TestNode.run { test in
        let signature = [0xFF] + [UInt8](repeating: 0, count: 8) + [0x7F]
        // A routing id without a greeting, two kinds of signature, and versions 1 and 2.
        let beginnings: [[UInt8]] = [
          [5, 0] + Array("same".utf8), signature.dropLast() + [0], signature + [0],
          signature + [1, 5, 0, 4] + Array("same".utf8),
        ]
        for beginning in beginnings {
          let peer = try RawPeer(silent: test.node.endpoints.control)
          try peer.send(beginning)
          await peer.waitForEnd()
        }
        _ = try await test.client.photo()
      }
    }

    @Test func `Messages over connections with a taken routing id cost nobody a place`()
      async throws
    {
      try await TestNode.run(configure: { $0.limitConnections(to: 8) }) { test in
        let control = test.node.endpoints.control
        for _ in 0..<40 {
          // Some end during the handshake.
          let peers = (0..<10).compactMap { _ in
            try? RawPeer(control, as: "DEALER", routingID: "same")
          }
          for peer in peers {
            for _ in 0..<5 { try? peer.send(message: [UInt8](repeating: 1, count: 1000)) }
          }
        }
        try await test.withClient { newcomer in _ = try await newcomer.photo() }
      }
    }
  }
}
