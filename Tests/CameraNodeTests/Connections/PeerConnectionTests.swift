import CConnections
import Foundation
import Glibc
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode

struct PeerConnectionTests {
  /// Over ipc the system lets a program read what arrived before it ended the connection.
  @Test func `What has arrived over a connection stays unread when that is ended`() throws {
    let path = NSTemporaryDirectory() + "camerabus-\(UUID().uuidString)"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(listener)
      unsafe unlink(path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(listener, $0, size)
      }
    }
    try #require(status == 0 && listen(listener, 1) == 0)
    let peer = try RawPeer(silent: "ipc://\(path)")
    let accepted = accept4(listener, nil, nil, 0)
    defer { close(accepted) }
    let connection = try #require(PeerConnection(descriptor: accepted))

    let handshake = RawPeer.handshake(as: "DEALER")
    try peer.send(handshake)
    try peer.send(message: Array("a message".utf8))
    var bytes = [UInt8](repeating: 0, count: handshake.count)
    let received = unsafe bytes.withUnsafeMutableBytes {
      unsafe recv(accepted, $0.baseAddress, $0.count, 0)
    }
    #expect(received == handshake.count && connection.receivedByteCount == UInt64(received))
    connection.end()
    let after = unsafe bytes.withUnsafeMutableBytes {
      unsafe recv(accepted, $0.baseAddress, $0.count, 0)
    }
    #expect(after == 0)
  }
}
