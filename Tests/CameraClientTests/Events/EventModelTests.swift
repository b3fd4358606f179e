import CameraClient
import CameraProtocol
import TestSupport
import Testing

/// Whatever the network, the node and the reader do, the reader's list is right.
@Suite(.timeLimit(.minutes(5)))
struct EventModelTests {
  @Test(arguments: [false, true])
  func `Every event comes once, or a gap says exactly how many are lost`(hasHistory: Bool) {
    let seed = SeededGenerator(for: "events, history \(hasHistory)").seed
    var (events, gaps) = (0, 0)
    for run in 0..<400 as Range<UInt64> {
      var world = World(seed: seed &+ run, hasHistory: hasHistory)
      for _ in 0..<400 { world.step() }
      world.settle()
      #expect(world.monitor.epoch == world.node.epochNumber, "run \(run) of seed \(seed)")
      for topic in ModelNode.topics {
        #expect(
          world.monitor.positions[topic] ?? 0 == world.node.numbers[topic] ?? 0,
          "run \(run) of seed \(seed)"
        )
      }
      events += world.monitor.eventCount
      gaps += Int(world.monitor.gapCount)
    }
    // The runs had events and gaps.
    #expect(events > 10_000 && gaps > 100)
  }
}

/// A node, a bad network, and a monitor that reads at random times.
private struct World {
  private(set) var node = ModelNode()
  private(set) var monitor: ModelMonitor
  private var tracker: ModelNode.Tracker
  private var random: SeededGenerator
  /// Publications on their way to the monitor, in order.
  private var publications: [ModelNode.Publication] = []
  private var requests: [ModelNode.Tracker.Request] = []
  private var answers: [(request: ModelNode.Tracker.Request, answer: ModelNode.Answer)] = []
  private var isReading = true

  init(seed: UInt64, hasHistory: Bool) {
    random = SeededGenerator(seed: seed)
    monitor = ModelMonitor(hasHistory: hasHistory)
    tracker = .init(hasHistory: hasHistory)
    tracker.connected()
    drive()
  }

  mutating func step() {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<40: publish()
    case ..<45: send(node.heartbeat)
    case ..<75: deliver()
    case ..<85: answerRequest()
    case ..<93: deliverAnswer()
    case ..<96: isReading.toggle()
    case 96: tracker.fallSilent(nil)
    case 97: reconnect()
    case 98: for _ in 0..<20 { publish() }
    default: if random.chance(3) { restart() }
    }
    drive()
  }

  /// Lets the network lose nothing from now on.
  mutating func settle() {
    isReading = true
    drive()
    for _ in 0..<200 {
      publications.append(node.heartbeat)
      while !publications.isEmpty { deliver() }
      drive()
      while !requests.isEmpty || !answers.isEmpty {
        if let request = requests.popFirst() { answers.append((request, node.answer(request))) }
        deliverAnswer()
        drive()
      }
    }
  }

  private mutating func publish() {
    guard let topic = ModelNode.topics.randomElement(using: &random) else { return }
    send(node.publish(on: topic))
  }

  private mutating func send(_ publication: ModelNode.Publication) {
    if random.chance(5) { return }
    publications.append(publication)
    if random.chance(10) { publications.append(publication) }
  }

  private mutating func deliver() {
    if let publication = publications.popFirst() { tracker.take(publication) }
  }

  private mutating func answerRequest() {
    guard let request = requests.popFirst() else { return }
    let isReplay = if case .replay = request { true } else { false }
    let failure: CameraBusError? =
      switch Int.random(in: 0..<12, using: &random) {
      case 0: CameraBusError(.busy, "", isRetryable: true)
      case 1: CameraBusError(.timedOut, "")
      default: nil
      }
    answers.append(
      (request, failure.map { .failure($0, ofReplay: isReplay) } ?? node.answer(request)))
  }

  private mutating func deliverAnswer() {
    guard let answer = answers.popFirst()?.answer, !tracker.take(answer) else { return }
    // There was no first snapshot, so try again.
    tracker.connected()
  }

  private mutating func reconnect() {
    if Bool.random(using: &random) { publications = [] }
    tracker.connected()
  }

  private mutating func restart() {
    // Publications on their way may still come, or be lost.
    if Bool.random(using: &random) { publications = [] }
    node.restart()
    if Bool.random(using: &random) { tracker.connected() }
  }

  private mutating func drive() {
    while isReading, let output = tracker.next() { monitor.take(output, of: node) }
    while isReading, let request = tracker.nextRequest() {
      if case .replay = request {
        // A restart has withdrawn an older request.
        requests.removeAll { if case .replay = $0 { true } else { false } }
        answers.removeAll { if case .replay = $0.request { true } else { false } }
      }
      requests.append(request)
    }
  }
}

extension Array {
  fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}

extension SeededGenerator {
  /// True once in so many times.
  fileprivate mutating func chance(_ times: Int) -> Bool {
    Int.random(in: 0..<times, using: &self) == 0
  }
}
