import Testing

@testable import ZeroMQ

@Suite(.timeLimit(.minutes(5)))
struct CurveTests {
  @Test func `A client with the server's key can talk to it`() async throws {
    try await withBench { bench, context in
      let server = try CurveKeyPair.generate()
      let router = try Socket<Router>(context, on: bench.loop)
      try router.encrypt(asServer: server)
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      try dealer.encrypt(asClient: .generate(), of: server.publicKey)
      try dealer.connect(router.bind("tcp://127.0.0.1:*"))
      #expect(try dealer.send("secret"))
      let request = try await router.receive()
      #expect(request[1].text == "secret")
      #expect(try router.send(parts: [request[0].bytes, Array("reply".utf8)]))
      #expect(try await dealer.receiveTexts() == ["reply"])
    }
  }

  enum Stranger: CaseIterable, Sendable { case unencrypted, otherServerKey }

  @Test(arguments: Stranger.allCases)
  func `A client without the server's key cannot send to it`(_ stranger: Stranger) async throws {
    try await withBench { bench, context in
      let router = try Socket<Router>(context, on: bench.loop)
      try router.encrypt(asServer: .generate())
      let events = try router.monitor()
      let dealer = try Socket<Dealer>(context, on: bench.loop)
      if stranger == .otherServerKey {
        try dealer.encrypt(
          asClient: .generate(),
          of: CurveKeyPair.generate().publicKey
        )
      }
      try dealer.connect(router.bind("tcp://127.0.0.1:*"))
      #expect(try dealer.send("let me in"))
      var failure: MonitorEvent.HandshakeFailure?
      for await event in events {
        #expect(event.kind != .handshakeSucceeded)
        if case .handshakeFailed(let reason) = event.kind {
          failure = reason
          break
        }
      }
      #expect(failure != nil)
      #expect(try router.receiveWaiting() == nil)
    }
  }

  @Test func `A key survives the conversion to text and bytes`() throws {
    let keys = try CurveKeyPair.generate()
    #expect(keys.publicKey.z85.count == 40)
    #expect(try CurvePublicKey(z85: keys.publicKey.z85) == keys.publicKey)
    #expect(try CurvePublicKey(bytes: keys.publicKey.bytes) == keys.publicKey)
    #expect(try CurveSecretKey(z85: keys.secretKey.z85) == keys.secretKey)
    #expect(try CurveSecretKey(bytes: keys.secretKey.bytes) == keys.secretKey)
    #expect(try CurveKeyPair.generate() != keys)
  }

  @Test func `A public key can be derived from its secret key`() throws {
    let keys = try CurveKeyPair.generate()
    #expect(try CurveKeyPair(secretKey: keys.secretKey) == keys)
  }

  @Test(arguments: [
    "", "short", String(repeating: "0", count: 41), String(repeating: "0", count: 45),
    String(repeating: " ", count: 40), String(repeating: "0", count: 39) + "\0",
    String(repeating: "é", count: 20),
  ])
  func `A text that is not a key is refused`(_ text: String) {
    let error = #expect(throws: ZeroMQError.self) { try CurvePublicKey(z85: text) }
    #expect(error?.code == .invalidKey)
    #expect(throws: ZeroMQError.self) { try CurveSecretKey(z85: text) }
  }

  @Test func `Bytes that are not a key are refused`() {
    #expect(throws: ZeroMQError.self) { try CurvePublicKey(bytes: [1, 2, 3]) }
    #expect(throws: ZeroMQError.self) { try CurveSecretKey(bytes: []) }
  }

  @Test func `A secret key does not show in descriptions`() throws {
    let keys = try CurveKeyPair.generate()
    var dumped = ""
    dump(keys, to: &dumped)
    for text in ["\(keys)", "\(keys.secretKey)", String(reflecting: keys.secretKey), dumped] {
      #expect(!text.contains(keys.secretKey.z85))
      #expect(!text.contains("\(keys.secretKey.bytes[0]), \(keys.secretKey.bytes[1])"))
    }
  }

  @Test func `Z85 passes the test vector of its specification`() {
    #expect(Z85.encode([0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B]) == "HelloWorld")
    #expect(Z85.decode("HelloWorld") == [0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B])
  }
}
