import CameraClient
import CameraProtocol
import OperatingSystem
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
    #expect(table.connected(at: start) == [.probe])
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

  @Test mutating func `What may have been done is waited for as long as it may take`() {
    _ = open()
    _ = table.add(id, Self.rule(.changing), at: start)
    _ = table.disconnected(at: start + .seconds(1))
    #expect(table.expire(at: start + .seconds(9)) == [])
    #expect(table.expire(at: start + .seconds(10)) == [.fail(id, .outcomeUnknown)])
  }

  @Test mutating func `A changing request is repeated under its id for the same start only`() {
    _ = open()
    _ = table.add(id, Self.rule(.changing), at: start)
    #expect(table.disconnected(at: start + .seconds(1)) == [])
    #expect(table.connected(at: start) == [.probe])
    #expect(
      table.opened(Epoch.random(), at: start + .seconds(2)) == [
        .send(id, remaining: .seconds(8), only: epoch)
      ]
    )
    // Whatever other starts it meets, the first is the one that may have done it.
    _ = table.disconnected(at: start + .seconds(2))
    _ = table.connected(at: start)
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
    _ = table.connected(at: start)
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
    _ = table.connected(at: start)
    _ = table.add(id, Self.rule(.never), at: start)
    #expect(table.disconnected(at: start) == [])
    #expect(!table.isEmpty)
  }

  @Test mutating func `A request that hears nothing is sent once more at half its time`() {
    _ = open()
    _ = table.add(id, Self.rule(.changing), at: start)
    answerProbes(until: start + .seconds(4))
    #expect(table.nextDeadline == start + .seconds(5))
    #expect(
      table.expire(at: start + .seconds(5)) == [.send(id, remaining: .seconds(5), only: epoch)]
    )
    answerProbes(until: start + .seconds(9))
    #expect(table.nextDeadline == start + .seconds(10))
    #expect(table.expire(at: start + .seconds(10)) == [.fail(id, .timedOut(.seconds(10)))])
  }

  @Test mutating func `A request that hears something is not sent again`() {
    _ = open()
    _ = table.add(id, Self.rule(.changing), at: start)
    #expect(table.accept(id, index: 1, isFinal: false, at: start + .seconds(1)) == true)
    answerProbes(until: start + .seconds(9))
    #expect(table.nextDeadline == start + .seconds(10))
  }

  @Test mutating func `Replies renew the wait only where that is the rule`() {
    _ = open()
    _ = table.add(id, Self.rule(.never, isRenewed: true), at: start)
    #expect(table.accept(id, index: 1, isFinal: false, at: start + .seconds(9)) == true)
    table.heard(at: start + .seconds(9))
    #expect(table.expire(at: start + .seconds(10)) == [])
    answerProbes(until: start + .seconds(18))
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

  // MARK: Silence

  @Test mutating func `A connection that brings nothing is probed, then given up for another`() {
    _ = open()
    _ = table.add(id, Self.rule(.changing), at: start + .seconds(2))
    #expect(table.nextDeadline == start + .milliseconds(3500))
    #expect(table.expire(at: start + .milliseconds(3500)) == [.probe])
    #expect(table.expire(at: start + .seconds(5)) == [.reconnect])
    #expect(table.connected(at: start + .seconds(6)) == [.probe])
    #expect(
      table.opened(epoch, at: start + .seconds(6)) == [
        .send(id, remaining: .seconds(6), only: epoch)
      ]
    )
  }

  @Test mutating func `What looks dead may be slow, so the patience doubles until something comes`()
  {
    _ = open()
    _ = table.add(id, .init(timeout: .seconds(6000), resending: .reading), at: start)
    var now = start
    for patience in [3, 6, 12, 24, 30, 30] {
      #expect(table.expire(at: now + .seconds(patience) / 2) == [.probe])
      now = now + .seconds(patience)
      #expect(table.expire(at: now) == [.reconnect])
      _ = table.connected(at: now)
      _ = table.opened(epoch, at: now)
      // That the node answers a probe does not make a slow reply fast.
      table.heard(at: now)
    }
    #expect(table.accept(id, index: 1, isFinal: false, at: now) == true)
    #expect(table.nextDeadline == now + .milliseconds(1500))
  }

  @Test mutating func `Any reply at all shows that the connection lives`() {
    _ = open()
    _ = table.add(id, Self.rule(.reading), at: start)
    table.heard(at: start + .seconds(1))
    #expect(table.expire(at: start + .seconds(2)) == [])
    #expect(table.expire(at: start + .milliseconds(2500)) == [.probe])
    table.heard(at: start + .seconds(3))
    #expect(table.nextDeadline == start + .milliseconds(4500))
  }

  @Test mutating func `A connection that nobody waits for may be silent`() {
    _ = open()
    #expect(table.nextDeadline == nil)
    _ = table.add(id, Self.rule(.reading), at: start + .seconds(60))
    #expect(table.expire(at: start + .seconds(60)) == [])
  }

  @Test mutating func `What cannot be repeated fails with a connection that is given up`() {
    _ = open()
    _ = table.add(id, Self.rule(.never), at: start)
    #expect(table.expire(at: start + .milliseconds(1500)) == [.probe])
    #expect(table.expire(at: start + .seconds(3)) == [.fail(id, .unreachable), .reconnect])
  }

  /// The connection lives, and nothing else comes.
  private mutating func answerProbes(until end: MonotonicTime) {
    while let moment = table.nextDeadline, moment <= end, table.expire(at: moment) == [.probe] {
      table.heard(at: moment)
    }
    table.heard(at: end)
  }

  private mutating func open() -> [RequestTable.Action] {
    table.connected(at: start) + table.opened(epoch, at: start)
  }
}
