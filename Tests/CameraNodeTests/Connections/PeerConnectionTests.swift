import Glibc
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode

struct PeerConnectionTests {
  /// Over ipc the system lets a program read what arrived before it ended the connection.
  @Test func `What has arrived over a connection stays unread when that is ended`() throws {
    let (peer, accepted) = try IPCListener().connect()
    defer { close(accepted) }
    let connection = try #require(PeerConnection(descriptor: accepted))
    let handshake = RawPeer.handshake(as: "DEALER")
    try peer.send(handshake)
    try peer.send(message: Array("a message".utf8))
    #expect(receive(handshake.count, over: accepted) == handshake.count)
    #expect(connection.receivedByteCount == UInt64(handshake.count))
    connection.end()
    #expect(receive(handshake.count, over: accepted) == 0)
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

  private func receive(_ count: Int, over descriptor: Int32) -> Int {
    var bytes = [UInt8](repeating: 0, count: count)
    return unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, count, 0) }
  }
}
