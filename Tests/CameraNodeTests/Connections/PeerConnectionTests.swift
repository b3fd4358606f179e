import CConnections
import Glibc
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode

struct PeerConnectionTests {
  /// libzmq tells only the number of the connection over which a message came. The message may be
  /// read when the connection has ended.
  @Test func `The number of a connection that has ended is not the next one's`() async throws {
    // libzmq accepts on several threads.
    let accepted = try await withThrowingTaskGroup(of: [Int32].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let listener = try IPCListener()
          return try (0..<200).map { _ in
            let (peer, accepted) = try listener.connect()
            close(accepted)
            withExtendedLifetime(peer) {}
            return accepted
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(accepted).count == accepted.count)
  }

  /// Over ipc the system lets a program read what arrived before it ended the connection.
  @Test func `What has arrived over a connection stays unread when that is ended`() throws {
    let (peer, accepted) = try IPCListener().connect()
    defer { close(accepted) }
    let connection = try #require(PeerConnection(descriptor: accepted))
    let handshake = RawPeer.handshake(as: "DEALER")
    try peer.send(handshake)
    try peer.send(message: Array("a message".utf8))
    #expect(receive(handshake.count, over: accepted) == handshake.count)
    #expect(connection.end())
    #expect(!connection.end())
    #expect(receive(handshake.count, over: accepted) == 0)
  }

  /// Reads all that a peer has sent.
  /// - Returns: Whether the connection has ended then.
  private func hasEnded(_ accepted: Int32, after bytes: [UInt8], of peer: RawPeer) throws -> Bool {
    try peer.send(bytes)
    while true {
      let count = receive(1000, over: accepted, flags: Int(MSG_DONTWAIT))
      if count <= 0 { return count == 0 }
    }
  }

  @Test func `A connection that sends more than its share ends at once`() throws {
    let listener = try IPCListener()
    let group = CConnections_new_group()
    CConnections_bound(listener.descriptor, group, 10_000, 12_000)
    CConnections_drained(group)
    let kilobyte = RawPeer.frame([UInt8](repeating: 1, count: 1000 - 9), more: false)
    func connection() throws -> (peer: RawPeer, accepted: Int32, connection: PeerConnection) {
      let (peer, accepted) = try listener.connect()
      #expect(try !hasEnded(accepted, after: RawPeer.handshake(as: "SUB"), of: peer))
      return (peer, accepted, try #require(PeerConnection(descriptor: accepted)))
    }
    let first = try connection()
    for _ in 0..<10 { #expect(try !hasEnded(first.accepted, after: kilobyte, of: first.peer)) }
    // What the program has read makes room.
    first.connection.hasRead(1000)
    CConnections_read_of(group, 1000)
    #expect(try !hasEnded(first.accepted, after: kilobyte, of: first.peer))
    #expect(try hasEnded(first.accepted, after: kilobyte, of: first.peer))
    // What it has sent still waits, so others may send little.
    let second = try connection()
    for _ in 0..<4 { #expect(try !hasEnded(second.accepted, after: kilobyte, of: second.peer)) }
    #expect(try hasEnded(second.accepted, after: kilobyte, of: second.peer))
    CConnections_drained(group)
    let third = try connection()
    for _ in 0..<9 { #expect(try !hasEnded(third.accepted, after: kilobyte, of: third.peer)) }
    for accepted in [first.accepted, second.accepted, third.accepted] { close(accepted) }
  }

  @Test func `A message of very many parts ends the connection`() throws {
    let listener = try IPCListener()
    CConnections_bound(listener.descriptor, CConnections_new_group(), 1 << 20, 1 << 20)
    let (peer, accepted) = try listener.connect()
    defer { close(accepted) }
    let part = RawPeer.frame([], more: true)
    let last = RawPeer.frame([], more: false)
    let message = Array(repeatElement(part, count: 62).joined()) + last
    #expect(try !hasEnded(accepted, after: RawPeer.handshake(as: "DEALER"), of: peer))
    for _ in 0..<3 { #expect(try !hasEnded(accepted, after: message, of: peer)) }
    let ping: [UInt8] = [4, 7] + [4] + Array("PING".utf8) + [0, 10]
    let many = Array(repeatElement(part + ping, count: 64).joined())
    #expect(try hasEnded(accepted, after: many, of: peer))
  }

  @Test func `Another socket with the number of a connection that has ended does not count`() throws
  {
    let listener = try IPCListener()
    let group = CConnections_new_group()
    CConnections_bound(listener.descriptor, group, 10_000, 5_000)
    CConnections_drained(group)
    let (peer, accepted) = try listener.connect()
    #expect(try !hasEnded(accepted, after: RawPeer.handshake(as: "DEALER"), of: peer))
    var pair: [Int32] = [0, 0]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    try #require(dup2(pair[0], accepted) == accepted)
    defer { for descriptor in pair + [accepted] { close(descriptor) } }
    let kilobyte = RawPeer.frame([UInt8](repeating: 1, count: 1000 - 9), more: false)
    let many = Array(repeatElement(RawPeer.frame([], more: true), count: 100).joined())
    for bytes in [kilobyte, many] {
      #expect(unsafe send(pair[1], bytes, bytes.count, 0) == bytes.count)
      #expect(receive(bytes.count, over: accepted) == bytes.count)
    }
    // The next connection of the listener has the whole room.
    let (second, next) = try listener.connect()
    defer { close(next) }
    #expect(try !hasEnded(next, after: RawPeer.handshake(as: "DEALER"), of: second))
    let message = RawPeer.frame([UInt8](repeating: 1, count: 4_990), more: false)
    #expect(try !hasEnded(next, after: message, of: second))
  }

  @Test func `A connection knows the socket that accepted it`() throws {
    let listeners = [try IPCListener(), try IPCListener()]
    for listener in listeners {
      let (_, accepted) = try listener.connect()
      let connection = try #require(PeerConnection(descriptor: accepted))
      #expect(connection.listener == listener.descriptor)
      close(accepted)
    }
  }

  private func receive(
    _ count: Int, over descriptor: Int32, flags: Int = 0
  ) -> Int {
    var bytes = [UInt8](repeating: 0, count: count)
    return unsafe bytes.withUnsafeMutableBytes {
      unsafe recv(descriptor, $0.baseAddress, count, Int32(flags))
    }
  }
}
