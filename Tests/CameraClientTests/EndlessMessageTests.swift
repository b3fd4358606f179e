import CameraClient
import TestSupport
import Testing

/// A node that begins a message and never ends it. libzmq keeps the parts of a message until the
/// last one has come.
@Suite(.timeLimit(.minutes(2)))
struct EndlessMessageTests {
  @Test(arguments: [0, 100_000])
  func `An answer that never ends fails in its time`(length: Int) async throws {
    let node = try EndlessSender(
      as: "ROUTER", part: [UInt8](repeating: 1, count: length), most: 128 << 20)
    let bus = try CameraBus(node.endpoint, configuration: .init(requestTimeout: .seconds(1)))
    async let failed = failure { () throws(CameraBusError) in _ = try await bus.status() }
    var outcomes = node.outcomes.makeAsyncIterator()
    #expect(try #require(await outcomes.next()).isCut)
    let error = await failed
    #expect(error?.code == .protocolViolation)
    #expect(error?.message.contains("never ends") == true)
    await bus.close()
  }

  /// With ZMQ_IMMEDIATE, libzmq would abort the program.
  @Test func `A node that leaves behind a message of very many parts does not end the program`()
    async throws
  {
    let node = try EndlessSender(as: "ROUTER", part: [1], most: 150_000, isWhole: true)
    let bus = try CameraBus(node.endpoint)
    let call = Task { try await bus.status() }
    var outcomes = node.outcomes.makeAsyncIterator()
    for _ in 0..<8 { _ = await outcomes.next() }
    call.cancel()
    await bus.close()
  }

  @Test func `An event that never ends ends the connection`() async throws {
    let sender = try EndlessSender(
      as: "XPUB", part: [UInt8](repeating: 1, count: 1000), most: 128 << 20)
    try await withFakeNode { node, _ in
      let bus = try CameraBus(
        await node.control, configuration: .init(events: sender.endpoint))
      let reader = Task { for try await _ in bus.events() {} }
      var outcomes = sender.outcomes.makeAsyncIterator()
      #expect(try #require(await outcomes.next()).isCut)
      reader.cancel()
      await bus.close()
    }
  }

  @Test func `A frame that never ends ends the connection`() async throws {
    let sender = try EndlessSender(
      as: "XPUB", part: [UInt8](repeating: 1, count: 1 << 20), most: 1 << 30)
    try await withFakeNode { node, _ in
      let bus = try CameraBus(
        await node.control, configuration: .init(frames: sender.endpoint))
      let camera = try bus.camera("cam")
      let reader = Task { for try await _ in camera.frames() {} }
      var outcomes = sender.outcomes.makeAsyncIterator()
      #expect(try #require(await outcomes.next()).isCut)
      reader.cancel()
      await bus.close()
    }
  }
}
