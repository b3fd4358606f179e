import CameraClient
import Foundation
import Glibc
import OperatingSystem
import TestSupport

/// A connection to a gateway, written from the standard and not with the code under test: it sends
/// any bytes, and reads answers of HTTP 1.1. Reads block threads of their own.
final class WebConnection: Sendable {
  /// The answer to a request.
  struct Reply: Sendable {
    var status = 0
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The document of a failure.
    var problem: [String: Any] {
      get throws { try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:] }
    }
  }

  struct Ended: Error {}

  private let descriptor: Int32
  private let buffer = Mutex([UInt8]())

  init(port: Int, receiveBuffer: Int32? = nil) throws {
    descriptor = try systemCall("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
    if var receiveBuffer {
      _ = unsafe setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer,
        socklen_t(MemoryLayout.size(ofValue: receiveBuffer)))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let size = socklen_t(MemoryLayout.size(ofValue: address))
    try unsafe withUnsafePointer(to: &address) { pointer in
      try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = try systemCall("connect") { [descriptor] in unsafe connect(descriptor, address, size) }
      }
    }
  }

  deinit { close(descriptor) }

  /// Ends the connection for the gateway, and what reads from it here.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Says that nothing more is sent.
  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      sent += try systemCall("send") {
        unsafe Glibc.send(
          descriptor, Array(bytes[sent...]), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
    }
  }

  /// Waits until the gateway has closed the connection.
  func waitForEnd() async {
    while true {
      do { try await fill() } catch { return }
      buffer.withLock { $0.removeAll() }
    }
  }

  // MARK: Answers

  /// The whole answer to the request that was sent first.
  /// - Parameter hasBody: False for the answer to HEAD.
  func reply(hasBody: Bool = true) async throws -> Reply {
    var reply = try await head()
    guard hasBody else { return reply }
    if reply.headers["transfer-encoding"] == "chunked" {
      while case let chunk = try await chunk(), !chunk.isEmpty { reply.body += chunk }
    } else {
      reply.body = try await take(Int(reply.headers["content-length"] ?? "0") ?? 0)
    }
    return reply
  }

  /// The head of an answer.
  func head() async throws -> Reply {
    let lines = String(decoding: try await take(until: "\r\n\r\n"), as: UTF8.self)
      .components(separatedBy: "\r\n")
    var reply = Reply()
    reply.status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
    for line in lines.dropFirst() {
      let sides = line.split(separator: ":", maxSplits: 1)
      guard sides.count == 2 else { continue }
      reply.headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
    }
    return reply
  }

  /// The next chunk of an answer in chunks; empty at its end.
  func chunk() async throws -> [UInt8] {
    let size = String(decoding: try await take(until: "\r\n"), as: UTF8.self)
    let bytes = try await take(Int(size, radix: 16) ?? 0)
    _ = try await take(2)
    return bytes
  }

  /// The next picture of a stream, whose chunks are whole parts.
  func picture() async throws -> (headers: [String: String], jpeg: [UInt8]) {
    var part = try await chunk()
    // The opening stands alone.
    if part == Array("--camerabus\r\n".utf8) { part = try await chunk() }
    guard let end = part.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Ended() }
    var headers: [String: String] = [:]
    for line in String(decoding: part[..<end.lowerBound], as: UTF8.self).components(
      separatedBy: "\r\n")
    {
      let sides = line.split(separator: ":", maxSplits: 1)
      headers[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
    }
    let count = Int(headers["content-length"] ?? "") ?? 0
    let rest = part[end.upperBound...]
    guard rest.count == count + "\r\n--camerabus\r\n".utf8.count else { throw Ended() }
    return (headers, Array(rest.prefix(count)))
  }

  /// The next server-sent event: its fields. Comments are left out.
  func event() async throws -> (id: String, data: [String: Any]) {
    while true {
      let text = String(decoding: try await chunk(), as: UTF8.self)
      if text.isEmpty { throw Ended() }
      pending.withLock { $0 += text }
      while let event = takeEvent() {
        if let data = event.data { return (event.id, data) }
      }
    }
  }

  private let pending = Mutex("")

  private func takeEvent() -> (id: String, data: [String: Any]?)? {
    let text = pending.withLock { pending -> String? in
      guard let end = pending.range(of: "\n\n") else { return nil }
      defer { pending.removeSubrange(..<end.upperBound) }
      return String(pending[..<end.lowerBound])
    }
    guard let text else { return nil }
    var (id, data) = ("", nil as [String: Any]?)
    for line in text.split(separator: "\n") {
      if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
      if line.hasPrefix("data: ") {
        data =
          (try? JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)))
          as? [String: Any]
      }
    }
    return (id, data)
  }

  private func take(_ count: Int) async throws -> [UInt8] {
    while buffer.withLock({ $0.count }) < count { try await fill() }
    return buffer.withLock { buffer in
      defer { buffer.removeFirst(count) }
      return Array(buffer.prefix(count))
    }
  }

  /// The bytes before an ending, which is taken too.
  private func take(until ending: String) async throws -> [UInt8] {
    let ending = Array(ending.utf8)
    while true {
      let taken = buffer.withLock { buffer -> [UInt8]? in
        guard let range = buffer.firstRange(of: ending) else { return nil }
        defer { buffer.removeFirst(range.upperBound) }
        return Array(buffer[..<range.lowerBound])
      }
      if let taken { return taken }
      try await fill()
    }
  }

  private func fill() async throws {
    let descriptor = descriptor
    let bytes = await withTaskCancellationHandler {
      await OwnThread.run { () -> [UInt8] in
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
      }
    } onCancel: {
      end()
    }
    guard !bytes.isEmpty else { throw Ended() }
    buffer.withLock { $0 += bytes }
  }
}
