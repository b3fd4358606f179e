import CameraClient
import CameraProtocol
import OperatingSystem
import Testing

struct PendingRequestsTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
  /// When a request that was made at the start gives up.
  private var end: MonotonicTime { start + .seconds(10) + PendingRequests.grace }
  private let id = RequestID.random()
  private let other = RequestID.random()
  private let epoch = Epoch.random()
  private var requests = PendingRequests(connectTimeout: .seconds(3))

  private static func rule(
    _ resending: PendingRequests.Resending,
    isRenewed: Bool = false
  ) -> PendingRequests.Rule {
    .init(timeout: .seconds(10), resending: resending, stepTimeout: isRenewed ? .seconds(10) : nil)
  }

  @Test mutating func `Nothing is sent before the node's epoch is known`() {
    #expect(requests.add(id, Self.rule(.changing), at: start) == [])
    #expect(requests.connected(at: start) == [.probe])
    #expect(requests.add(other, Self.rule(.reading), at: start) == [])
    #expect(
      requests.opened(epoch, at: start + .seconds(1)) == [
        .send(id, remaining: .seconds(9), only: nil),
        .send(other, remaining: .seconds(9), only: nil),
      ]
    )
  }

  @Test mutating func `Without a connection a request fails when the connect timeout is over`() {
    _ = requests.add(id, Self.rule(.reading), at: start)
    #expect(requests.nextDeadline == start + .seconds(3))
    #expect(requests.expire(at: start + .seconds(2)) == [])
    #expect(requests.expire(at: start + .seconds(3)) == [.fail(id, .unreachable)])
    #expect(requests.isEmpty)
  }

  @Test mutating func `Failed attempts do not extend the wait for a connection`() {
    _ = requests.add(id, Self.rule(.reading), at: start)
    _ = requests.disconnected(at: start + .seconds(2))
    #expect(requests.nextDeadline == start + .seconds(3))
  }

  @Test mutating func `The wait for a connection starts again when one is lost`() {
    _ = open()
    _ = requests.add(id, Self.rule(.reading), at: start)
    _ = requests.disconnected(at: start + .seconds(4))
    #expect(requests.nextDeadline == start + .seconds(7))
  }

  @Test mutating func `A request that may have been done waits for its whole timeout`() {
    _ = open()
    _ = requests.add(id, Self.rule(.changing), at: start)
    _ = requests.disconnected(at: start + .seconds(1))
    #expect(requests.expire(at: start + .seconds(9)) == [])
    #expect(requests.expire(at: end) == [.fail(id, .outcomeUnknown)])
  }

  @Test mutating func `A changing request is repeated under its id for the same start only`() {
    _ = open()
    _ = requests.add(id, Self.rule(.changing), at: start)
    #expect(requests.disconnected(at: start + .seconds(1)) == [])
    #expect(requests.connected(at: start) == [.probe])
    #expect(
      requests.opened(Epoch.random(), at: start + .seconds(2)) == [
        .send(id, remaining: .seconds(8), only: epoch)
      ]
    )
    // However often the node restarts, the first start is the one that may have done it.
    _ = requests.disconnected(at: start + .seconds(2))
    _ = requests.connected(at: start)
    #expect(
      requests.opened(Epoch.random(), at: start + .seconds(2)) == [
        .send(id, remaining: .seconds(8), only: epoch)
      ]
    )
  }

  @Test mutating func `A reading request is repeated for any start of the node`() {
    _ = open()
    _ = requests.add(id, Self.rule(.reading), at: start)
    _ = requests.disconnected(at: start)
    _ = requests.connected(at: start)
    #expect(
      requests.opened(Epoch.random(), at: start) == [.send(id, remaining: .seconds(10), only: nil)]
    )
  }

  @Test mutating func `A request that cannot be repeated fails with its connection`() {
    _ = open()
    _ = requests.add(id, Self.rule(.never), at: start)
    #expect(requests.disconnected(at: start) == [.fail(id, .unreachable)])
    #expect(requests.isEmpty)
  }

  @Test mutating func `When the node refuses the program, no request waits for its end`() {
    _ = open()
    let reading = RequestID.random()
    _ = requests.add(id, Self.rule(.changing), at: start)
    _ = requests.add(reading, Self.rule(.reading), at: start)
    #expect(requests.disconnected(at: start) == [])
    #expect(requests.refused() == [.fail(id, .outcomeUnknown), .fail(reading, .unreachable)])
    #expect(requests.isEmpty)
  }

  @Test mutating func `A request that was never sent does not fail with the connection`() {
    _ = requests.connected(at: start)
    _ = requests.add(id, Self.rule(.never), at: start)
    #expect(requests.disconnected(at: start) == [])
    #expect(!requests.isEmpty)
  }

  @Test mutating func `A request without a reply is repeated at half its timeout`() {
    _ = open()
    _ = requests.add(id, Self.rule(.changing), at: start)
    answerProbes(until: start + .seconds(4))
    #expect(requests.nextDeadline == start + .seconds(5))
    #expect(
      requests.expire(at: start + .seconds(5)) == [.send(id, remaining: .seconds(5), only: epoch)]
    )
    answerProbes(until: start + .seconds(9))
    #expect(requests.nextDeadline == end)
    #expect(requests.expire(at: end) == [.fail(id, .timedOut(.seconds(10), mayBeDone: true))])
  }

  @Test mutating func `A request with a reply is not repeated`() {
    _ = open()
    _ = requests.add(id, Self.rule(.changing), at: start)
    #expect(requests.accept(id, index: 1, isFinal: false, at: start + .seconds(1)) == true)
    answerProbes(until: start + .seconds(9))
    #expect(requests.nextDeadline == end)
  }

  @Test mutating func `Replies extend the wait only where the rule says so`() {
    _ = open()
    _ = requests.add(id, Self.rule(.never, isRenewed: true), at: start)
    #expect(requests.accept(id, index: 1, isFinal: false, at: start + .seconds(9)) == true)
    requests.heard(at: start + .seconds(9))
    #expect(requests.expire(at: end) == [])
    answerProbes(until: start + .seconds(18))
    #expect(requests.nextDeadline == end + .seconds(9))
  }

  @Test mutating func `A request whose wait is extended gives the node the longest time`() {
    _ = open()
    #expect(
      requests.add(id, Self.rule(.never, isRenewed: true), at: start) == [
        .send(id, remaining: PendingRequests.Rule.longest, only: nil)
      ]
    )
  }

  @Test mutating func `Each reply is accepted once, and none after the final one`() {
    _ = open()
    _ = requests.add(id, Self.rule(.changing), at: start)
    #expect(requests.accept(other, index: 1, isFinal: true, at: start) == false)
    #expect(requests.accept(id, index: 2, isFinal: false, at: start) == true)
    #expect(requests.accept(id, index: 2, isFinal: false, at: start) == false)
    #expect(requests.accept(id, index: 1, isFinal: false, at: start) == false)
    // A final reply that the node kept for repetitions may have any index.
    #expect(requests.accept(id, index: 1, isFinal: true, at: start) == true)
    #expect(requests.accept(id, index: 3, isFinal: true, at: start) == false)
    #expect(requests.isEmpty)
  }

  // MARK: Silence

  @Test mutating func `A silent connection is probed, then replaced`() {
    _ = open()
    _ = requests.add(id, Self.rule(.changing), at: start + .seconds(2))
    #expect(requests.nextDeadline == start + .milliseconds(3500))
    #expect(requests.expire(at: start + .milliseconds(3500)) == [.probe])
    #expect(requests.expire(at: start + .seconds(5)) == [.reconnect])
    #expect(requests.connected(at: start + .seconds(6)) == [.probe])
    #expect(
      requests.opened(epoch, at: start + .seconds(6)) == [
        .send(id, remaining: .seconds(6), only: epoch)
      ]
    )
  }

  @Test
  mutating func `The patience doubles until something comes, because the connection may be slow`() {
    _ = open()
    _ = requests.add(id, .init(timeout: .seconds(6000), resending: .reading), at: start)
    var now = start
    for patience in [3, 6, 12, 24, 30, 30] {
      #expect(requests.expire(at: now + .seconds(patience) / 2) == [.probe])
      now = now + .seconds(patience)
      #expect(requests.expire(at: now) == [.reconnect])
      _ = requests.connected(at: now)
      _ = requests.opened(epoch, at: now)
      // An answered probe does not make a slow reply faster.
      requests.heard(at: now)
    }
    #expect(requests.accept(id, index: 1, isFinal: false, at: now) == true)
    #expect(requests.nextDeadline == now + .milliseconds(1500))
  }

  @Test mutating func `Any reply shows that the connection works`() {
    _ = open()
    _ = requests.add(id, Self.rule(.reading), at: start)
    requests.heard(at: start + .seconds(1))
    #expect(requests.expire(at: start + .seconds(2)) == [])
    #expect(requests.expire(at: start + .milliseconds(2500)) == [.probe])
    requests.heard(at: start + .seconds(3))
    #expect(requests.nextDeadline == start + .milliseconds(4500))
  }

  @Test mutating func `A connection without requests may be silent`() {
    _ = open()
    #expect(requests.nextDeadline == nil)
    _ = requests.add(id, Self.rule(.reading), at: start + .seconds(60))
    #expect(requests.expire(at: start + .seconds(60)) == [])
  }

  @Test mutating func `A request that cannot be repeated fails when its connection is replaced`() {
    _ = open()
    _ = requests.add(id, Self.rule(.never), at: start)
    #expect(requests.expire(at: start + .milliseconds(1500)) == [.probe])
    #expect(requests.expire(at: start + .seconds(3)) == [.fail(id, .unreachable), .reconnect])
  }

  /// Answers every probe, and sends nothing else.
  private mutating func answerProbes(until end: MonotonicTime) {
    while let moment = requests.nextDeadline, moment <= end, requests.expire(at: moment) == [.probe]
    {
      requests.heard(at: moment)
    }
    requests.heard(at: end)
  }

  private mutating func open() -> [PendingRequests.Action] {
    requests.connected(at: start) + requests.opened(epoch, at: start)
  }
}
