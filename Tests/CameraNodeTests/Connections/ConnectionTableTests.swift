import Testing

@testable import CameraNode

struct ConnectionTableTests {
  private func table(connections: Int = 8) -> ConnectionTable<Int> {
    var limits = ConnectionLimits()
    limits.connections = connections
    return ConnectionTable(limits: limits)
  }

  private let share = ConnectionLimits().unreadByteCount(.control)

  @Test func `What was received and not read counts, and only the sender goes`() {
    var table = table()
    let greedy = table.opened(1, at: .control, from: "a")
    let other = table.opened(2, at: .control, from: "a")
    table.hasInput(greedy, taken: UInt64(share), growth: 0)
    table.hasInput(other, taken: 100, growth: 0)
    #expect(table.greedy() == [])
    table.hasInput(greedy, taken: UInt64(share) + 1, growth: 0)
    #expect(table.greedy() == [1])
    #expect(table[greedy] == nil)
    #expect(table.greedy() == [])
  }

  @Test func `What was read does not count`() {
    var table = table()
    let number = table.opened(1, at: .control, from: "a")
    for round in 1...10 {
      table.hasInput(number, taken: UInt64(share * round), growth: 0)
      #expect(table.greedy() == [])
      table.read(share, of: 1, at: .control, from: "a")
    }
  }

  @Test func `Bytes outside of messages are forgotten once a message comes behind them`() {
    var table = table()
    let number = table.opened(1, at: .control, from: "a")
    for round in 1...10 {
      // Pings, and then a small message.
      table.hasInput(number, taken: UInt64(share * round), growth: 0)
      #expect(table.greedy() == [])
      table.hasRead(all: .control)
      table.read(10, of: 1, at: .control, from: "a")
    }
  }

  @Test func `A message that was there before does not hide what came behind it`() {
    var table = table()
    let number = table.opened(1, at: .control, from: "a")
    table.hasRead(all: .control)
    table.hasInput(number, taken: UInt64(share) + 20, growth: 0)
    table.read(10, of: 1, at: .control, from: "a")
    #expect(table.greedy() == [1])
  }

  @Test func `If all together have too much, those with the most go`() {
    var table = table(connections: 100)
    let limit = ConnectionLimits().unreadByteCountOfAll
    for connection in 0..<30 {
      let number = table.opened(connection, at: .control, from: "a")
      table.hasInput(number, taken: UInt64(limit / 30 + connection), growth: 0)
    }
    #expect(table.greedy() == [29])
  }

  @Test func `Over ipc the growth of the process counts while no message is read`() {
    var table = table()
    let limit = ConnectionLimits().growth
    let honest = table.opened(1, at: .control, from: "process 1")
    let greedy = table.opened(2, at: .control, from: "process 2")
    for _ in 0..<4 {
      table.hasInput(honest, taken: nil, growth: limit / 4)
      table.read(10, of: 1, at: .control, from: "process 1")
      table.hasInput(greedy, taken: nil, growth: limit / 4)
      #expect(table.greedy() == [])
    }
    table.hasInput(greedy, taken: nil, growth: 1)
    #expect(table.greedy() == [2])
  }

  @Test func `Of too many silent connections the oldest goes`() {
    var table = table()
    for connection in 0..<8 {
      table.opened(connection, at: .control, from: "a")
      #expect(table.excess(at: .control) == nil)
    }
    table.read(1, of: 0, at: .control, from: "a")
    table.opened(8, at: .control, from: "a")
    #expect(table.excess(at: .control) == 1)
    #expect(table.excess(at: .control) == nil)
    table.opened(9, at: .events, from: "a")
    #expect(table.excess(at: .events) == nil, "each endpoint has its own places")
  }

  @Test func `Of connections that are served the newest of the greediest machine goes`() {
    var table = table()
    for connection in 0..<8 {
      table.read(1, of: connection, at: .control, from: connection < 5 ? "a" : "b")
    }
    table.opened(8, at: .control, from: "c")
    #expect(table.excess(at: .control) == 4)
    table.opened(9, at: .control, from: "a")
    #expect(table.excess(at: .control) == 9)
  }

  @Test(arguments: [(300, 60, 1, 45), (65_536, 60, 4, 256), (256, 200, 1, 8)])
  func `Descriptors are shared out among endpoints and files`(
    descriptors: Int, used: Int, cameras: Int, connections: Int
  ) {
    let limits = ConnectionLimits(descriptors: descriptors, used: used, cameras: cameras)
    #expect(limits.connections == connections)
  }
}
