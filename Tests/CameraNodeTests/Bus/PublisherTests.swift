import CameraProtocol
import EventLoop
import Imaging
import OperatingSystem
import TestSupport
import Testing
import ZeroMQ

@testable import CameraNode

@Suite(.timeLimit(.minutes(5)))
struct PublisherTests {
  /// Everything runs on one loop, so libzmq's own threads are the only others.
  // @unchecked: only the loop touches it.
  private final class Bench: @unchecked Sendable {
    let loop = EventLoop(name: "publisher")
    let context: Context
    let received = Recorded<Int>()
    private var publisher: Publisher?
    private var subscribers: [Socket<Sub>] = []
    private var endpoint = ""

    init() throws { context = try Context() }

    func open(_ endpoint: String, rest: ClosedRange<Duration>) throws {
      let publisher = Publisher(
        context, on: loop, epoch: .random(), queueLength: 3, rest: rest)
      self.endpoint = try publisher.open([endpoint], by: .open)
      publisher.onSubscriptionsChanged = { [received] in received.add(0) }
      self.publisher = publisher
    }

    func start() { publisher?.start() }

    func subscribe(_ topic: String) throws {
      let subscriber = try Socket<Sub>(context, on: loop)
      subscriber.subscribe(topic)
      let index = subscribers.count
      subscriber.onReadable { [unowned self] in
        while let message = try? subscribers[index].receive() { received.add(message.count) }
      }
      subscribers.append(subscriber)
      try subscriber.connect(endpoint)
    }

    func publish() {
      guard let publisher else { return }
      publisher.publish([1], on: publisher.topic("event/cam/state/"))
    }

    func publishFrame() throws {
      guard let publisher else { return }
      let layout = ImageLayout.compressed(.mjpeg, size: ImageSize(width: 4, height: 2))
      publisher.publish(
        try .made(of: [1], layout, at: 0), on: publisher.topic("frame/cam/full/"))
    }

    var overflows: UInt64? { publisher?.overflows }

    func close() {
      publisher?.close()
      for subscriber in subscribers { subscriber.close() }
    }
  }

  @Test func `A subscriber that takes each publication at once misses none`()
    async throws
  {
    let bench = try Bench()
    try await bench.loop.run {
      try bench.open(
        "tcp://127.0.0.1:*", rest: Duration.milliseconds(50)...Duration.milliseconds(100))
      bench.start()
      try bench.subscribe("event/")
    }
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

  @Test(arguments: [false, true])
  func `A publisher rests after a subscription unless it publishes often`(isBusy: Bool) async throws
  {
    let bench = try Bench()
    try await bench.loop.run {
      // Over inproc, subscribe() returns after the subscription has arrived.
      try bench.open("inproc://publisher", rest: Duration.seconds(3600)...Duration.seconds(3600))
      try bench.subscribe("event/first/")
      if isBusy { for _ in 0..<200 { bench.publish() } }
      bench.start()
    }
    await bench.received.atLeast(1)
    try await bench.loop.run { try bench.subscribe("event/second/") }
    if isBusy {
      await bench.received.atLeast(2)
    } else {
      // One round of the loop, in which the publisher would read the subscription.
      try await bench.loop.sleep(until: .now)
      #expect(bench.received.events.count == 1)
    }
    await bench.loop.run { bench.close() }
    bench.loop.stop()
    try bench.context.close()
  }

  @Test
  func `A subscription that waits during a rest is read with the first frame after the minimum`()
    async throws
  {
    let bench = try Bench()
    try await bench.loop.run {
      try bench.open("inproc://publisher", rest: Duration.zero...Duration.seconds(3600))
      try bench.subscribe("event/first/")
      bench.start()
    }
    await bench.received.atLeast(1)
    for topic in 2...4 {
      try await bench.loop.run {
        try bench.subscribe("event/\(topic)/")
        bench.publish()
      }
      // One round of the loop, in which the publisher would read the subscription.
      try await bench.loop.sleep(until: .now)
      #expect(bench.received.events.count == topic - 1)
      try await bench.loop.run { try bench.publishFrame() }
      await bench.received.atLeast(topic)
    }
    await bench.loop.run { bench.close() }
    bench.loop.stop()
    try bench.context.close()
  }
}
