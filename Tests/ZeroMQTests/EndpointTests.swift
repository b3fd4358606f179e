import EventLoop
import Foundation
import Glibc
import OperatingSystem
import TestSupport
import Testing

@testable import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct EndpointTests {
  @Test func `Binding a wildcard returns the chosen port`() async throws {
    try await withBench { bench, context in
      let socket = try Socket<Pub>(context, on: bench.loop)
      let endpoint = try socket.bind("tcp://127.0.0.1:*")
      let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
      #expect(endpoint == "tcp://127.0.0.1:\(port)")
      #expect(port != 0)
    }
  }

  @Test func `The error for an endpoint in use names it and the remedy`() async throws {
    try await withBench { bench, context in
      let first = try Socket<Router>(context, on: bench.loop)
      let second = try Socket<Router>(context, on: bench.loop)
      let endpoint = try first.bind("tcp://127.0.0.1:*")
      let error = #expect(throws: ZeroMQError.self) { try second.bind(endpoint) }
      #expect(error?.code == .addressInUse)
      #expect(error?.operation == "bind")
      #expect(error?.endpoint == endpoint)
      #expect(
        error?.message
          == "\(endpoint) is already in use: stop the other program or choose another port"
      )
    }
  }

  @Test func `An ipc path is taken over only when no process listens there`()
    async throws
  {
    try await withBench { bench, context in
      let first = try Socket<Router>(context, on: bench.loop)
      let second = try Socket<Router>(context, on: bench.loop)
      let endpoint = try first.bind("ipc://*")
      let error = #expect(throws: ZeroMQError.self) { try second.bind(endpoint) }
      #expect(error?.code == .addressInUse)
      #expect(error?.message.contains("path") == true)
      // A killed process leaves a socket file at which no process listens.
      let path = String(endpoint.dropFirst("ipc://".count))
      let left = "\(path)-left"
      try leaveSocket(at: left)
      defer { unsafe unlink(left) }
      try second.bind("ipc://\(left)")
    }
  }

  @Test func `The file of an ipc endpoint goes with its socket`() async throws {
    let folder = try TemporaryFolder()
    try await withBench { bench, context in
      let path = "\(folder.path)/bus"
      for isUnbound in [true, false] {
        let socket = try Socket<Router>(context, on: bench.loop)
        try socket.bind("ipc://\(path)")
        #expect(FileManager.default.fileExists(atPath: path))
        if isUnbound { try socket.unbind("ipc://\(path)") } else { socket.close() }
        #expect(!FileManager.default.fileExists(atPath: path))
      }
    }
  }

  @Test func `A socket leaves a file alone that has taken its path`() async throws {
    let folder = try TemporaryFolder()
    try await withBench { bench, context in
      let path = "\(folder.path)/bus"
      for isSocket in [true, false] {
        let socket = try Socket<Router>(context, on: bench.loop)
        try socket.bind("ipc://\(path)")
        try FileManager.default.removeItem(atPath: path)
        if isSocket {
          try leaveSocket(at: path)
        } else {
          try "mine".write(toFile: path, atomically: false, encoding: .utf8)
        }
        socket.close()
        #expect(FileManager.default.fileExists(atPath: path))
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  @Test(arguments: [false, true])
  func `A path that is not a socket is refused and kept`(isLink: Bool) async throws {
    let folder = try TemporaryFolder()
    try await withBench { bench, context in
      let path = "\(folder.path)/notes.txt"
      try "mine".write(toFile: path, atomically: false, encoding: .utf8)
      let link = "\(folder.path)/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
      let endpoint = "ipc://\(isLink ? link : path)"
      let socket = try Socket<Router>(context, on: bench.loop)
      let error = #expect(throws: ZeroMQError.self) { try socket.bind(endpoint) }
      #expect(error?.code == .addressInUse)
      #expect(error?.message.contains("not a socket") == true)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
      #expect(FileManager.default.fileExists(atPath: link))
    }
  }

  /// Binds a socket to a path and closes it without removing the file.
  private func leaveSocket(at path: String) throws {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let status = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe Glibc.bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
  }

  @Test(arguments: [
    ("nonsense", ZeroMQError.Code.malformedEndpoint),
    ("tcp://127.0.0.1", .malformedEndpoint),
    ("tcp://127.0.0.1:seventy", .malformedEndpoint),
    ("tcp://no-such-interface:5570", .addressNotAvailable),
    ("tcp://192.0.2.1:5570", .addressNotAvailable),
    ("carrier-pigeon://loft", .unsupportedTransport),
    ("ipc:///no/such/folder/socket", .notFound),
    ("ipc:///" + String(repeating: "a", count: 200), .malformedEndpoint),
  ])
  func `A bad endpoint to bind is refused with its reason`(
    endpoint: String,
    code: ZeroMQError.Code
  ) async throws {
    try await withBench { bench, context in
      let socket = try Socket<Router>(context, on: bench.loop)
      let error = #expect(throws: ZeroMQError.self) { try socket.bind(endpoint) }
      #expect(error?.code == code)
      #expect(error?.message.contains(endpoint) == true)
    }
  }

  @Test(arguments: [
    ("nonsense", ZeroMQError.Code.malformedEndpoint),
    ("tcp://127.0.0.1:*", .malformedEndpoint),
    ("carrier-pigeon://loft", .unsupportedTransport),
  ])
  func `A bad endpoint to connect to is refused with its reason`(
    endpoint: String,
    code: ZeroMQError.Code
  ) async throws {
    try await withBench { bench, context in
      let socket = try Socket<Dealer>(context, on: bench.loop)
      let error = #expect(throws: ZeroMQError.self) { try socket.connect(endpoint) }
      #expect(error?.code == code)
    }
  }

  @Test func `An endpoint that was unbound is free for another socket`() async throws {
    try await withBench { bench, context in
      let first = try Socket<Router>(context, on: bench.loop)
      let endpoint = try first.bind("inproc://first")
      try first.unbind(endpoint)
      try Socket<Router>(context, on: bench.loop).bind(endpoint)
    }
  }

  @Test func `Leaving an endpoint that the socket does not have is refused`() async throws {
    try await withBench { bench, context in
      let socket = try Socket<Dealer>(context, on: bench.loop)
      #expect(throws: ZeroMQError.self) { try socket.unbind("tcp://127.0.0.1:9") }
      let error = #expect(throws: ZeroMQError.self) { try socket.disconnect("tcp://127.0.0.1:9") }
      #expect(error?.code == .notFound)
    }
  }

  @Test func `A disconnected socket has no peer`() async throws {
    try await withBench { bench, context in
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      let router = try Socket<Router>(context, on: bench.loop)
      let endpoint = try router.bind(Transport.inproc.endpoint)
      try dealer.connect(endpoint)
      #expect(try dealer.send("to the router"))
      try dealer.disconnect(endpoint)
      #expect(try !dealer.send("to nobody"))
    }
  }

  @Test(arguments: [
    (EACCES, ZeroMQError.Code.permissionDenied),
    (EPERM, .permissionDenied),
    (EMFILE, .tooManySockets),
    (ENOMEM, .outOfMemory),
    (ENOTSUP, .curveUnavailable),
    (EIO, .other),
  ])
  func `Every system error has a code and a sentence`(
    number: Int32,
    code: ZeroMQError.Code
  ) {
    let system = SystemError(errno: number, operation: "bind")
    let error = ZeroMQError(system, endpoint: "tcp://127.0.0.1:80")
    #expect(error.code == code)
    #expect(!error.message.isEmpty)
    #expect(error.description == error.message)
  }
}
