import Testing

@testable import CameraNode

struct ConnectionTableTests {
  /// A connection with a descriptor of its own, unless the test says otherwise.
  private struct Connection: WatchedConnection, ExpressibleByIntegerLiteral {
    let number: Int
    let descriptor: Int32

    init(_ number: Int, descriptor: Int32? = nil) {
      self.number = number
      self.descriptor = descriptor ?? Int32(number)
    }

    init(integerLiteral number: Int) { self.init(number) }
  }

  private func table(connections: Int = 8) -> ConnectionTable<Connection> {
    var limits = ConnectionLimits()
    limits.connections = connections
    limits.descriptors = connections + connections / 4
    return ConnectionTable(limits: limits)
  }

  private let share = ConnectionLimits().unreadByteCount(.control)

  @Test func `What was received and not read counts, and only the sender goes`() {
    var table = table()
    let greedy = table.opened(1, at: .control, from: "a")
    let other = table.opened(2, at: .control, from: "a")
    table.received(UInt64(share), over: greedy)
    table.received(100, over: other)
    #expect(table.greedy() == [])
    table.received(UInt64(share) + 1, over: greedy)
    #expect(table.greedy() == [1])
    #expect(table.greedy() == [])
  }

  @Test func `A connection is known at its endpoint until that has announced its end`() {
    var table = table()
    #expect(!table.knows(1, at: .control))
    table.opened(1, at: .control, from: "a")
    #expect(table.knows(1, at: .control) && !table.knows(1, at: .frames))
    #expect(!table.knows(Connection(2, descriptor: 1), at: .control))
    table.closed(1, at: .control)
    #expect(!table.knows(1, at: .control))
  }

  @Test func `What was read does not count`() {
    var table = table()
    let number = table.opened(1, at: .control, from: "a")
    for round in 1...10 {
      table.received(UInt64(share * round), over: number)
      #expect(table.greedy() == [])
      table.read(share, of: 1, at: .control)
    }
  }

  @Test func `Bytes outside of messages are forgotten once a message comes behind them`() {
    var table = table()
    let number = table.opened(1, at: .control, from: "a")
    for round in 1...10 {
      // Pings, and then a small message.
      table.received(UInt64(share * round), over: number)
      #expect(table.greedy() == [])
      table.hasRead(all: .control)
      table.read(10, of: 1, at: .control)
    }
  }

  @Test func `A message that was there before does not hide what came behind it`() {
    var table = table()
    let number = table.opened(1, at: .control, from: "a")
    table.hasRead(all: .control)
    table.received(UInt64(share) + 20, over: number)
    table.read(10, of: 1, at: .control)
    #expect(table.greedy() == [1])
  }

  @Test func `If all together have too much, those with the most go`() {
    var table = table(connections: 100)
    let limit = ConnectionLimits().unreadByteCountOfAll
    for connection in 0..<30 {
      let number = table.opened(Connection(connection), at: .control, from: "a")
      table.received(UInt64(limit / 30 + connection), over: number)
    }
    #expect(table.greedy() == [29])
  }

  @Test func `Of too many silent connections the oldest goes`() {
    var table = table()
    for connection in 0..<8 {
      table.opened(Connection(connection), at: .control, from: "a")
      #expect(table.excess(at: .control) == nil)
    }
    table.read(1, of: 0, at: .control)
    table.opened(8, at: .control, from: "a")
    #expect(table.excess(at: .control) == 1)
    #expect(table.excess(at: .control) == nil)
    table.opened(9, at: .events, from: "a")
    #expect(table.excess(at: .events) == nil, "each endpoint has its own places")
  }

  @Test func `Of connections that are served one of the greediest machine's newest quarter goes`() {
    var table = table()
    for connection in 0..<8 {
      table.opened(Connection(connection), at: .control, from: connection < 5 ? "a" : "b")
      table.read(1, of: Connection(connection), at: .control)
    }
    table.opened(8, at: .control, from: "c")
    #expect(table.excess(at: .control) == 3)
    table.opened(9, at: .control, from: "a")
    #expect(table.excess(at: .control) == 4)
    for ended: Int32 in 3...4 { table.closed(ended, at: .control) }
    for newcomer in 10..<20 {
      table.read(1, of: Connection(newcomer), at: .control)
      table.opened(Connection(newcomer), at: .control, from: "a")
      // The one before the newcomer is served while the next comes.
      #expect(table.excess(at: .control) == Connection(newcomer - 1))
      table.closed(Int32(newcomer - 1), at: .control)
    }
  }

  @Test func `Of clients with a few connections each those that came first stay`() {
    var table = table(connections: 32)
    for connection in 0..<32 {
      table.opened(Connection(connection), at: .control, from: "\(connection / 2)")
      table.read(1, of: Connection(connection), at: .control)
    }
    for newcomer in 32..<64 {
      table.opened(Connection(newcomer), at: .control, from: "\(newcomer)")
      table.read(1, of: Connection(newcomer), at: .control)
      let ended = table.excess(at: .control)?.number ?? 0
      #expect(ended >= 24)
      table.closed(Int32(ended), at: .control)
    }
  }

  @Test(arguments: [false, true])
  func `A connection stays in the table when the end of one at another endpoint comes late`(
    comesFirst: Bool
  ) {
    var table = table()
    let (former, next) = (Connection(1, descriptor: 7), Connection(2, descriptor: 7))
    if comesFirst { table.opened(former, at: .control, from: "a") }
    let number = table.opened(next, at: .events, from: "a")
    // The watch looks at the descriptor, which is the next connection's already.
    if !comesFirst { table.opened(next, at: .control, from: "a") }
    table.closed(7, at: .control)
    #expect(table.connections(on: 7).map(\.1) == [next])
    table.received(UInt64(share) + 1, over: number)
    #expect(table.greedy() == [next])
    table.closed(7, at: .events)
    #expect(table.connections(on: 7).isEmpty)
  }

  @Test func `What was read before a connection is announced counts as read`() {
    var table = table()
    table.read(share, of: 1, at: .control)
    table.read(share, of: 1, at: .control)
    table.read(share, of: 2, at: .control)
    let number = table.opened(1, at: .control, from: "a")
    table.received(UInt64(3 * share), over: number)
    #expect(table.greedy() == [])
    // The descriptor of the second connection goes to another one.
    let other = table.opened(Connection(3, descriptor: 2), at: .control, from: "a")
    table.received(UInt64(share) + 1, over: other)
    #expect(table.greedy().map(\.number) == [3])
  }

  @Test func `Connections that libzmq does not close count, and then only newcomers go`() {
    var table = table()
    for connection in 0..<8 {
      table.opened(Connection(connection), at: .control, from: "a")
      table.read(1, of: Connection(connection), at: .control)
    }
    for greedy in 5..<8 {
      let number = table.opened(Connection(greedy), at: .control, from: "a")
      table.received(UInt64(share) + 1, over: number)
    }
    #expect(Set(table.greedy()) == [5, 6, 7])
    for newcomer in 8..<10 {
      table.opened(Connection(newcomer), at: .control, from: "a")
      #expect(table.excess(at: .control) == nil)
    }
    for newcomer in 10..<20 {
      table.opened(Connection(newcomer), at: .control, from: "a")
      #expect(table.excess(at: .control) == Connection(newcomer))
      table.closed(Int32(newcomer), at: .control)
    }
    table.closed(5, at: .control)
    table.opened(20, at: .control, from: "a")
    #expect(table.excess(at: .control) == nil)
  }

  @Test(arguments: [(300, 60, 1, 36), (65_536, 60, 4, 256), (256, 200, 1, 8)])
  func `Descriptors are shared out among endpoints and files`(
    descriptors: Int, used: Int, cameras: Int, connections: Int
  ) {
    let limits = ConnectionLimits(descriptors: descriptors, used: used, cameras: cameras)
    #expect(limits.connections == connections)
  }
}
