import TestSupport
import Testing

@testable import Discovery

struct ServiceRecordTests {
  /// An answer with a question, and records whose names are pointers to it.
  private static func answer(_ records: [[UInt8]], count: Int? = nil) -> [UInt8] {
    let count = count ?? records.count
    let header: [UInt8] = [
      0, 1, 0x81, 0x80, 0, 1, UInt8(count >> 8), UInt8(count & 255), 0, 0, 0, 0,
    ]
    return header + name("_camerabus._tcp.example.org") + [0, 33, 0, 1] + records.flatMap(\.self)
  }

  private static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }

  private static func record(
    _ target: [UInt8], port: UInt16 = 5570, priority: UInt8 = 0, weight: UInt8 = 0,
    type: UInt8 = 33
  ) -> [UInt8] {
    let data = [0, priority, 0, weight, UInt8(port >> 8), UInt8(port & 255)] + target
    return [0xC0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, UInt8(data.count)] + data
  }

  @Test func `Records come in the order that the domain prefers`() throws {
    let records = try #require(
      ServiceRecord.records(
        in: Self.answer([
          Self.record(Self.name("c.example.org"), priority: 2),
          Self.record(Self.name("b.example.org"), priority: 1, weight: 1),
          Self.record(Self.name("a.example.org"), port: 6000, priority: 1, weight: 9),
        ])))
    #expect(
      records.map(\.endpoint) == [
        "tcp://a.example.org:6000", "tcp://b.example.org:5570", "tcp://c.example.org:5570",
      ])
  }

  @Test func `A name may lead to an earlier one`() throws {
    // "front" and a pointer to "example.org" in the question, behind "_camerabus" and "_tcp".
    let target = [5] + Array("front".utf8) + [0xC0, UInt8(12 + 11 + 5)]
    let records = try #require(ServiceRecord.records(in: Self.answer([Self.record(target)])))
    #expect(records.map(\.host) == ["front.example.org"])
  }

  @Test func `Records of other types are left out`() throws {
    let other = Self.record(Self.name("alias.example.org"), type: 5)
    let records = try #require(
      ServiceRecord.records(in: Self.answer([other, Self.record(Self.name("desk"))])))
    #expect(records.map(\.host) == ["desk"])
  }

  @Test(arguments: ["bad host", "a/b", "-x", "\u{1B}[2J", "ü"])
  func `A name that no machine has is left out`(host: String) {
    #expect(ServiceRecord.records(in: Self.answer([Self.record(Self.name(host))])) == [])
  }

  @Test func `The root and port zero say that there is no service`() {
    let records = [Self.record([0]), Self.record(Self.name("desk"), port: 0)]
    #expect(ServiceRecord.records(in: Self.answer(records)) == [])
  }

  @Test func `A flood of records is bounded`() throws {
    let records = (0..<200).map { Self.record(Self.name("host\($0)")) }
    #expect(ServiceRecord.records(in: Self.answer(records))?.count == ServiceRecord.most)
  }

  @Test func `A name that leads to itself is broken`() {
    let start = Self.answer([]).count + 12 + 6
    let itself = [0xC0 | UInt8(start >> 8), UInt8(start & 255)]
    #expect(ServiceRecord.records(in: Self.answer([Self.record(itself)])) == nil)
  }

  @Test func `Every cut answer is broken and every changed one is survived`() throws {
    let whole = Self.answer([
      Self.record(Self.name("a.example.org")), Self.record(Self.name("b.example.org")),
    ])
    #expect(ServiceRecord.records(in: whole)?.count == 2)
    for length in 0..<whole.count {
      #expect(ServiceRecord.records(in: Array(whole[..<length])) == nil)
    }
    var generator = SeededGenerator(seed: 45)
    for _ in 0..<20_000 {
      var changed = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        changed[Int.random(in: changed.indices, using: &generator)] = .random(
          in: 0 ... .max, using: &generator)
      }
      let records = ServiceRecord.records(in: changed) ?? []
      #expect(records.count <= 2)
      #expect(records.allSatisfy { $0.port > 0 && !$0.host.isEmpty && $0.host.utf8.count < 255 })
    }
  }

  @Test(arguments: [
    "", ".", "a..b", "-a.org", "bad domain", "é.org", String(repeating: "a", count: 64),
    Array(repeating: "abcdefgh", count: 28).joined(separator: "."), "a;b",
  ])
  func `What is no domain is refused`(text: String) {
    #expect(DomainName(text) == nil)
  }

  @Test func `A domain may end in a dot`() {
    #expect(DomainName("Example.org.")?.description == "example.org")
  }
}
