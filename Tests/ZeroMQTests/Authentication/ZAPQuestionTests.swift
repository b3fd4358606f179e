import Testing

@testable import ZeroMQ

struct ZAPQuestionTests {
  private static let key = [UInt8](repeating: 7, count: 32)

  private func question(
    address: String = "10.0.0.7", mechanism: String = "NULL", _ credentials: [UInt8]...
  ) -> ZAPQuestion? {
    ZAPQuestion(
      [
        [1, 2, 3], [], Array("1.0".utf8), [49], Array("frames".utf8), Array(address.utf8), [],
        Array(mechanism.utf8),
      ] + credentials)
  }

  @Test func `Each mechanism has its credentials`() throws {
    #expect(question()?.request?.credentials == .null)
    #expect(
      question(mechanism: "PLAIN", Array("ada".utf8), Array("secret".utf8))?.request?.credentials
        == .password(name: "ada", password: "secret"))
    #expect(
      question(mechanism: "CURVE", Self.key)?.request?.credentials
        == .curve(try CurvePublicKey(bytes: Self.key)))
    #expect(question(mechanism: "GSSAPI", [1])?.request?.credentials == .other("GSSAPI"))
  }

  @Test(arguments: [
    ("10.0.0.7", ConnectionRequest.Origin.address("10.0.0.7")),
    ("fe80::1", .address("fe80::1")),
    ("localhost:1000:100:4711", .process(4711, user: 1000, group: 100)),
    (":0:0:1", .process(1, user: 0, group: 0)),
    ("localhost:1000:100", .address("localhost:1000:100")),
    ("::ffff:1.2.3.4", .address("::ffff:1.2.3.4")),
    ("a:1:2:3", .address("a:1:2:3")),
    ("", .unknown),
  ])
  func `The address tells the machine or the process`(
    _ address: String, _ origin: ConnectionRequest.Origin
  ) {
    #expect(question(address: address)?.request?.origin == origin)
    #expect(question(address: address)?.request?.domain == "frames")
  }

  @Test func `Wrong credentials are no request, but have a reply`() throws {
    for question in [
      question(mechanism: "CURVE", [1]), question(mechanism: "CURVE"),
      question(mechanism: "CURVE", Self.key, Self.key), question(mechanism: "NULL", [1]),
      question(mechanism: "PLAIN", [1]),
    ] {
      let question = try #require(question)
      #expect(question.request == nil)
    }
  }

  @Test(arguments: [0, 1, 3, 7])
  func `A message that is too short is no question`(count: Int) {
    let parts = [[1, 2, 3], [], Array("1.0".utf8), [49], [], [], [], Array("NULL".utf8)]
    #expect(ZAPQuestion(Array(parts.prefix(count))) == nil)
    #expect(ZAPQuestion(parts) != nil)
  }

  @Test func `Another version is no question`() {
    #expect(ZAPQuestion([[1], [], Array("2.0".utf8), [49], [], [], [], []]) == nil)
    #expect(ZAPQuestion([[1], [0], Array("1.0".utf8), [49], [], [], [], []]) == nil)
  }

  @Test func `A reply repeats the envelope and gives status, reason and name`() throws {
    let question = try #require(self.question())
    func texts(_ admission: Admission) -> [String] {
      question.reply(admission).dropFirst().map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(question.reply(.refused).first == [1, 2, 3])
    #expect(texts(.admitted(as: "ada")) == ["", "1.0", "1", "200", "OK", "ada", ""])
    #expect(texts(.refused) == ["", "1.0", "1", "400", "not authorized", "", ""])
    #expect(texts(.notNow) == ["", "1.0", "1", "300", "try again", "", ""])
  }
}
