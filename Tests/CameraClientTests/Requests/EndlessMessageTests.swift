import CameraClient
import TestSupport
import Testing

/// A node that begins a message and never ends it. libzmq keeps the parts of a message until the
/// last one has come.
@Suite(.timeLimit(.minutes(5)))
struct EndlessMessageTests {
  @Test(arguments: [0, 100_000])
  func `An answer that never ends fails and says so`(length: Int) async throws {
    let node = try EndlessSender(
      as: "ROUTER", part: [UInt8](repeating: 1, count: length), burst: 128 << 20)
    let bus = try CameraBus(node.endpoint, configuration: .init(requestTimeout: .seconds(1)))
    // On a slow machine, requests end before the message is too long.
    var error: CameraBusError?
    repeat {
      error = await failure { () throws(CameraBusError) in _ = try await bus.status() }
    } while error?.code == .timedOut || error?.code == .unreachable
    #expect(error?.code == .protocolViolation)
    #expect(error?.message.contains("never ends") == true)
    await bus.close()
  }

  /// With ZMQ_IMMEDIATE, libzmq would abort the program.
  @Test func `A node that leaves behind a message of very many parts does not end the program`()
    async throws
  {
    let node = try EndlessSender(
      as: "ROUTER", part: [1], burst: 150_000, isWhole: true, peers: 8)
    let bus = try CameraBus(node.endpoint)
    let call = Task { try await bus.status() }
    var ends = node.ends.makeAsyncIterator()
    // The ninth connection comes when all of the eighth has been read. libzmq 4.3.4 leaks the parts
    // of an unfinished message if the socket sends, as `cancel` makes it, and is closed at once
    // (`pipe.cpp`, `process_pipe_term` after a delimiter), which the leak sanitizer reports.
    for _ in 0..<9 { await ends.next() }
    call.cancel()
    await bus.close()
  }

  @Test func `An event that never ends ends the connection`() async throws {
    let sender = try EndlessSender(
      as: "XPUB", part: [UInt8](repeating: 1, count: 1000), burst: 128 << 20)
    try await withFakeNode { node, _ in
      let bus = try CameraBus(
        await node.control, configuration: .init(events: sender.endpoint))
      let reader = Task { for try await _ in bus.events() {} }
      var ends = sender.ends.makeAsyncIterator()
      try #require(await ends.next())
      reader.cancel()
      await bus.close()
    }
  }

  @Test func `A frame that never ends ends the connection`() async throws {
    let sender = try EndlessSender(
      as: "XPUB", part: [UInt8](repeating: 1, count: 1 << 20), burst: 1 << 30)
    try await withFakeNode { node, _ in
      let bus = try CameraBus(
        await node.control, configuration: .init(frames: sender.endpoint))
      let camera = try bus.camera("cam")
      let reader = Task { for try await _ in camera.frames() {} }
      var ends = sender.ends.makeAsyncIterator()
      try #require(await ends.next())
      reader.cancel()
      await bus.close()
    }
  }
}
