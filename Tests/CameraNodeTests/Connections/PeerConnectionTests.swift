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

  @Test func `Messages and commands count but pings do not, however they are cut`() throws {
    let message = RawPeer.frame(Array("a message".utf8), more: true)
    let long = RawPeer.frame([UInt8](repeating: 4, count: 300), more: false)
    let command: [UInt8] = [4, 11] + [9] + Array("SUBSCRIBE".utf8) + [7]
    let ping: [UInt8] = [4, 7] + [4] + Array("PING".utf8) + [0, 10]
    let longPong: [UInt8] = [6, 0, 0, 0, 0, 0, 0, 0, 5] + [4] + Array("PONG".utf8)
    let hugePing: [UInt8] = [4, 200] + [4] + Array("PING".utf8) + [UInt8](repeating: 0, count: 195)
    let empty: [UInt8] = [1, 0]
    let bytes = ping + message + ping + longPong + command + empty + long + ping + hugePing + empty
    let counted = message.count + command.count + 2 * empty.count + long.count + hugePing.count
    for step in [1, 2, 3, 7, 1000] {
      let (peer, accepted) = try IPCListener().connect()
      defer { close(accepted) }
      let connection = try #require(PeerConnection(descriptor: accepted))
      try peer.send(RawPeer.handshake(as: "DEALER") + bytes)
      while receive(step, over: accepted, flags: Int(MSG_DONTWAIT)) > 0 {}
      #expect(connection.receivedByteCount == UInt64(counted), "in steps of \(step)")
    }
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

  @Test func `Another socket with the number of a connection that has ended has no bounds`() throws
  {
    let listener = try IPCListener()
    CConnections_bound(listener.descriptor, CConnections_new_group(), 1 << 20, 1 << 20)
    let (peer, accepted) = try listener.connect()
    #expect(try !hasEnded(accepted, after: RawPeer.handshake(as: "DEALER"), of: peer))
    var pair: [Int32] = [0, 0]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    try #require(dup2(pair[0], accepted) == accepted)
    defer { for descriptor in pair + [accepted] { close(descriptor) } }
    let many = Array(repeatElement(RawPeer.frame([], more: true), count: 100).joined())
    #expect(unsafe send(pair[1], many, many.count, 0) == many.count)
    #expect(receive(many.count, over: accepted) == many.count)
  }

  /// A READY, or with CURVE a HELLO and an INITIATE.
  @Test(arguments: [("NULL", [2048]), ("CURVE", [200, 2048])])
  func `Properties that are longer than any honest ones end the connection`(
    mechanism: String, sizes: [Int]
  ) throws {
    let greeting: [UInt8] =
      [0xFF] + [UInt8](repeating: 0, count: 8) + [0x7F, 3, 0] + Array(mechanism.utf8)
    let zeros = [UInt8](repeating: 0, count: 64 - greeting.count)
    for (extra, isTooLong) in [(0, false), (1, true)] {
      let (peer, accepted) = try IPCListener().connect()
      defer { close(accepted) }
      var bytes = greeting + zeros
      for (index, size) in sizes.enumerated() {
        let count = size + (index == sizes.count - 1 ? extra : 0)
        var frame = RawPeer.frame([UInt8](repeating: 0, count: count), more: false)
        frame[0] |= 4
        bytes += frame
      }
      #expect(try hasEnded(accepted, after: bytes, of: peer) == isTooLong)
    }
  }

  @Test func `An encrypted ping does not count, if it comes no more often than an honest one`()
    throws
  {
    let (peer, accepted) = try IPCListener().connect()
    defer { close(accepted) }
    let connection = try #require(PeerConnection(descriptor: accepted))
    let first = Self.encrypted(7, number: 3)
    let next = Self.encrypted(7, number: 4) + Self.encrypted(8, number: 5)
    #expect(try !hasEnded(accepted, after: Self.encryptedHandshake + first, of: peer))
    #expect(connection.receivedByteCount == 0)
    #expect(try !hasEnded(accepted, after: next, of: peer))
    #expect(connection.receivedByteCount == UInt64(next.count))
  }

  /// libzmq would keep such a connection for ever.
  @Test(
    arguments: [
      ([encrypted(8, number: 2)], true), ([encrypted(8, number: 3)], false),
      ([encrypted(8, number: 3), encrypted(8, number: 3)], true),
      ([encrypted(8, number: 9), encrypted(8, number: 8)], true),
      ([encrypted(8, number: 9), encrypted(8, number: .max)], false),
      ([encrypted(8, name: "MESSAGF", number: 3)], true),
      ([RawPeer.frame([UInt8](repeating: 7, count: 32), more: false)], true),
      ([RawPeer.frame([], more: false)], true),
    ] as [([[UInt8]], Bool)])
  func `A message that is not encrypted as it must be ends the connection`(
    frames: [[UInt8]], ends: Bool
  ) throws {
    let (peer, accepted) = try IPCListener().connect()
    defer { close(accepted) }
    let bytes = Self.encryptedHandshake + frames.joined()
    #expect(try hasEnded(accepted, after: bytes, of: peer) == ends)
  }

  /// A greeting, a HELLO, and an INITIATE with the number 2.
  private static let encryptedHandshake: [UInt8] = {
    let greeting: [UInt8] =
      [0xFF] + [UInt8](repeating: 0, count: 8) + [0x7F, 3, 0] + Array("CURVE".utf8)
    let initiate = [UInt8](repeating: 0, count: 9 + 96 + 7) + [2]
    return greeting + [UInt8](repeating: 0, count: 64 - greeting.count) + [4, 1, 0]
      + [4, UInt8(initiate.count)] + initiate
  }()

  /// A frame as CURVE makes it of a part with this many bytes (RFC 26).
  private static func encrypted(
    _ count: Int, name: String = "MESSAGE", number: UInt64
  ) -> [UInt8] {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    let header = [7] + Array(name.utf8) + bytes
    return RawPeer.frame(header + [UInt8](repeating: 7, count: 17 + count), more: false)
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
