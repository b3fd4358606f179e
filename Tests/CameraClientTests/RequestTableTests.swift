import CameraClient
import CameraProtocol
import EventLoop
import Testing

struct RequestTableTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
  private let id = RequestID.random()
  private let other = RequestID.random()
  private let epoch = Epoch.random()
  private var table = RequestTable(connectTimeout: .seconds(3))

  private static func rule(
    _ resending: RequestTable.Resending,
    isRenewed: Bool = false
  ) -> RequestTable.Rule {
    .init(timeout: .seconds(10), resending: resending, isRenewedByReplies: isRenewed)
  }

  @Test mutating func `Nothing is sent before the node has named its epoch`() {
    #expect(table.add(id, Self.rule(.changing), at: start) == [])
    #expect(table.connected() == [.probe])
    #expect(table.add(other, Self.rule(.reading), at: start) == [])
    #expect(
      table.opened(epoch, at: start + .seconds(1)) == [
        .send(id, remaining: .seconds(9), only: nil),
        .send(other, remaining: .seconds(9), only: nil),
      ]
    )
  }

  @Test mutating func `Without a connection a request fails when the connect timeout is over`() {
    _ = table.add(id, Self.rule(.reading), at: start)
    #expect(table.nextDeadline == start + .seconds(3))
    #expect(table.expire(at: start + .seconds(2)) == [])
    #expect(table.expire(at: start + .seconds(3)) == [.fail(id, .unreachable)])
    #expect(table.isEmpty)
  }

  @Test mutating func `Attempts that fail do not prolong the wait for a connection`() {
    _ = table.add(id, Self.rule(.reading), at: start)
    _ = table.disconnected(at: start + .seconds(2))
    #expect(table.nextDeadline == start + .seconds(3))
  }

  @Test mutating func `A connection that is lost is waited for anew`() {
    _ = open()
    _ = table.add(id, Self.rule(.reading), at: start)
    _ = table.disconnected(at: start + .seconds(4))
    #expect(table.nextDeadline == start + .seconds(7))
  }

  @Test mutating func `A changing request is repeated under its id for the same start only`() {
    _ = open()
    _ = table.add(id, Self.rule(.changing), at: start)
    #expect(table.disconnected(at: start + .seconds(1)) == [])
    #expect(table.connected() == [.probe])
    #expect(
      table.opened(Epoch.random(), at: start + .seconds(2)) == [
        .send(id, remaining: .seconds(8), only: epoch)
      ]
    )
    // Whatever other starts it meets, the first is the one that may have done it.
    _ = table.disconnected(at: start + .seconds(2))
    _ = table.connected()
    #expect(
      table.opened(Epoch.random(), at: start + .seconds(2)) == [
        .send(id, remaining: .seconds(8), only: epoch)
      ]
    )
  }

  @Test mutating func `A reading request is repeated for any start`() {
    _ = open()
    _ = table.add(id, Self.rule(.reading), at: start)
    _ = table.disconnected(at: start)
    _ = table.connected()
    #expect(
      table.opened(Epoch.random(), at: start) == [.send(id, remaining: .seconds(10), only: nil)]
    )
  }

  @Test mutating func `What cannot be repeated fails with the connection`() {
    _ = open()
    _ = table.add(id, Self.rule(.never), at: start)
    #expect(table.disconnected(at: start) == [.fail(id, .unreachable)])
    #expect(table.isEmpty)
  }

  @Test mutating func `What was never sent does not fail with the connection`() {
    _ = table.connected()
    _ = table.add(id, Self.rule(.never), at: start)
    #expect(table.disconnected(at: start) == [])
    #expect(!table.isEmpty)
  }

  @Test mutating func `A request that hears nothing is sent once more at half its time`() {
    _ = open()
    _ = table.add(id, Self.rule(.changing), at: start)
    #expect(table.nextDeadline == start + .seconds(5))
    #expect(
      table.expire(at: start + .seconds(5)) == [.send(id, remaining: .seconds(5), only: epoch)]
    )
    #expect(table.nextDeadline == start + .seconds(10))
    #expect(table.expire(at: start + .seconds(10)) == [.fail(id, .timedOut(.seconds(10)))])
  }

  @Test mutating func `A request that hears something is not sent again`() {
    _ = open()
    _ = table.add(id, Self.rule(.changing), at: start)
    #expect(table.accept(id, index: 1, isFinal: false, at: start + .seconds(1)) == true)
    #expect(table.nextDeadline == start + .seconds(10))
  }

  @Test mutating func `Replies renew the wait only where that is the rule`() {
    _ = open()
    _ = table.add(id, Self.rule(.never, isRenewed: true), at: start)
    #expect(table.accept(id, index: 1, isFinal: false, at: start + .seconds(9)) == true)
    #expect(table.expire(at: start + .seconds(10)) == [])
    #expect(table.nextDeadline == start + .seconds(19))
  }

  @Test mutating func `What every reply renews may take the node as long as it likes`() {
    _ = open()
    #expect(
      table.add(id, Self.rule(.never, isRenewed: true), at: start) == [
        .send(id, remaining: RequestTable.Rule.longest, only: nil)
      ]
    )
  }

  @Test mutating func `A reply is taken once, and none after the final one`() {
    _ = open()
    _ = table.add(id, Self.rule(.changing), at: start)
    #expect(table.accept(other, index: 1, isFinal: true, at: start) == false)
    #expect(table.accept(id, index: 2, isFinal: false, at: start) == true)
    #expect(table.accept(id, index: 2, isFinal: false, at: start) == false)
    #expect(table.accept(id, index: 1, isFinal: false, at: start) == false)
    // A final reply that is kept for repetitions may carry any index.
    #expect(table.accept(id, index: 1, isFinal: true, at: start) == true)
    #expect(table.accept(id, index: 3, isFinal: true, at: start) == false)
    #expect(table.isEmpty)
  }

  private mutating func open() -> [RequestTable.Action] {
    table.connected() + table.opened(epoch, at: start)
  }
}
