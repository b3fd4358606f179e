import CameraProtocol
import EventLoop
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode

@Suite(.timeLimit(.minutes(1)))
struct PublisherTests {
  /// Everything is on one loop, as libzmq's own threads are not.
  // @unchecked: touched on the loop only.
  private final class Bench: @unchecked Sendable {
    let loop = EventLoop(name: "publisher")
    let context: Context
    let received = Recorded<Int>()
    private var publisher: Publisher?
    private var subscriber: Socket<Sub>?

    init() throws { context = try Context() }

    func open() throws {
      let publisher = try Publisher(context, on: loop, epoch: .random(), queueLength: 3)
      let endpoint = try publisher.bind("tcp://127.0.0.1:*")
      let subscriber = try Socket<Sub>(context, on: loop)
      subscriber.subscribe("event/")
      subscriber.onReadable { [unowned self] in
        while let message = try? self.subscriber?.receive() { received.add(message.count) }
      }
      publisher.onSubscriptionsChanged = { [received] in received.add(0) }
      publisher.start(rest: .milliseconds(50))
      try subscriber.connect(endpoint)
      (self.publisher, self.subscriber) = (publisher, subscriber)
    }

    func publish() {
      guard let publisher else { return }
      publisher.publish([1], on: publisher.topic("event/cam/state/"))
    }

    var overflows: UInt64? { publisher?.overflows }

    func close() {
      publisher?.close()
      subscriber?.close()
    }
  }

  @Test func `A subscriber that takes each publication at once misses none, however fast they are`()
    async throws
  {
    let bench = try Bench()
    try await bench.loop.run { try bench.open() }
    await bench.received.wait { !$0.isEmpty }
    for number in 1...500 {
      await bench.loop.run { bench.publish() }
      await bench.received.wait { $0.count > number }
    }
    await bench.loop.run {
      #expect(bench.overflows == 0)
      bench.close()
    }
    bench.loop.stop()
    try bench.context.close()
  }
}
