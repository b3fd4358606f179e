import NIOCore
import Testing

@testable import CameraWeb

struct ConnectionTableTests {
  private func visitor(_ address: String) throws -> ConnectionTable.Visitor {
    ConnectionTable.Visitor(try SocketAddress(ipAddress: address, port: 1))
  }

  @Test func `An address has its share, and another one still comes in`() throws {
    let table = ConnectionTable(limit: 10, limitByVisitor: 2)
    let (first, second) = (try visitor("192.168.1.10"), try visitor("192.168.1.11"))
    #expect(table.enter(first))
    #expect(table.enter(first))
    #expect(!table.enter(first))
    #expect(table.enter(second))
    table.leave(first)
    #expect(table.enter(first))
    #expect(table.counters.open == 3)
    #expect(table.counters.refused == 1)
  }

  @Test func `There is a limit for all together`() throws {
    let table = ConnectionTable(limit: 2, limitByVisitor: 2)
    for last in 1...2 { #expect(table.enter(try visitor("192.168.1.\(last)"))) }
    #expect(!table.enter(try visitor("192.168.1.3")))
  }

  @Test(arguments: ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
  func `Programs on this machine have no share of their own`(_ address: String) throws {
    let table = ConnectionTable(limit: 3, limitByVisitor: 1)
    for _ in 0..<3 { #expect(table.enter(try visitor(address))) }
    #expect(!table.enter(try visitor(address)))
  }

  @Test(arguments: [
    ("2001:db8:1:2::1", "2001:db8:1:2:ffff::2", true),
    ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
    ("192.168.1.1", "::ffff:192.168.1.1", true),
    ("::ffff:192.168.1.1", "::ffff:192.168.1.2", false),
  ])
  func `A visitor of IPv6 is his network`(_ one: String, _ other: String, _ isSame: Bool) throws {
    #expect((try visitor(one) == visitor(other)) == isSame)
  }
}
