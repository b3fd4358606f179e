import Glibc
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode

struct PeerConnectionTests {
  /// libzmq tells only the number of the connection over which a message came. The message may be
  /// read when the connection has ended.
  @Test func `The number of a connection that has ended is not the next one's`() throws {
    let listener = try IPCListener()
    var numbers: Set<Int32> = []
    for _ in 0..<100 {
      let (peer, accepted) = try listener.connect()
      #expect(numbers.insert(accepted).inserted)
      close(accepted)
      withExtendedLifetime(peer) {}
    }
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
