import CameraClient
import TestSupport
import Testing

@testable import CameraRig

/// Times are milliseconds here, and elements are texts.
struct EventMergeTests {
  private var merge = EventMerge<String>(lanes: 2, window: .milliseconds(100))

  @Test mutating func `An event is held back for the window, and earlier ones overtake it`() {
    add("b", on: 0, at: 10, arrived: 11)
    #expect(merge.due == moment(110))
    #expect(next(109) == nil)
    add("a", on: 1, at: 5, arrived: 60)
    #expect(next(104) == nil)
    #expect(next(105) == "a")
    #expect(next(109) == nil)
    #expect(next(110) == "b")
    #expect(merge.due == nil)
  }

  @Test mutating func `An event that comes after the window is handed out at once, and is late`() {
    add("b", on: 0, at: 10, arrived: 11)
    #expect(next(110) == "b")
    add("a", on: 1, at: 5, arrived: 200)
    #expect(next(200) == "a late")
    // What comes in time is not late again.
    add("c", on: 1, at: 210, arrived: 211)
    #expect(next(310) == "c")
  }

  @Test mutating func `A lane keeps its order, whatever its times say`() {
    add("a", on: 0, at: 50, arrived: 51)
    add("b", on: 0, at: 20, arrived: 52)
    add("c", on: 1, at: 30, arrived: 53)
    #expect(next(130) == "c")
    #expect(next(149) == nil)
    #expect(next(150) == "a")
    #expect(next(150) == "b late")
  }

  @Test mutating func `A time in the future counts as that of the arrival, and holds up nobody`() {
    add("a", on: 0, at: 1_000_000, arrived: 10)
    add("b", on: 1, at: 20, arrived: 21)
    #expect(next(110) == "a")
    #expect(next(120) == "b")
  }

  @Test mutating func `A lane alone waits for nobody`() {
    merge = EventMerge(lanes: 1, window: .milliseconds(100))
    add("a", on: 0, at: 10, arrived: 10)
    #expect(next(10) == "a")
  }

  @Test
  mutating func
    `The past of all lanes comes in one order, when all have begun or the time is over`()
  {
    for ending in 0..<3 {
      merge = EventMerge(
        lanes: 2, window: .milliseconds(100), totalLimit: 32, beginning: moment(1000))
      add("b", on: 0, at: -500, arrived: 10)
      merge.settle(0)
      #expect(next(200) == nil && merge.due == moment(1000))
      add("a", on: 1, at: -700, arrived: 210)
      #expect(next(220) == nil)
      switch ending {
      case 0: merge.settle(1)
      case 1: for _ in 0..<15 { add("c", on: 1, at: 220, arrived: 220) }
      default: break
      }
      let now: Int64 = ending == 2 ? 1000 : 221
      #expect(next(now) == "a")
      if ending == 1 { #expect(!merge.isFull(1)) }
      #expect(ending == 1 || next(now) == "b")
    }
  }

  @Test mutating func `Each lane holds its share and no more`() {
    let shares = [(1, 1024), (8, 1024), (16, 512), (256, 32), (10_000, 16)]
    for (lanes, share) in shares {
      #expect(EventMerge<Int>(lanes: lanes, window: .zero).laneLimit == share)
    }
    for number in 0..<merge.laneLimit {
      #expect(!merge.isFull(0))
      add("\(number)", on: 0, at: 0, arrived: 0)
    }
    #expect(merge.isFull(0) && !merge.isFull(1))
    _ = next(1000)
    #expect(!merge.isFull(0))
  }

  @Test mutating func `Whatever comes, each lane keeps its order and what is not late is in order`()
  {
    var random = SeededGenerator(for: "EventMergeTests")
    for _ in 0..<200 {
      merge = EventMerge(lanes: 3, window: .milliseconds(50))
      var (now, sent, latest): (Int64, [Int], Int64) = (0, [0, 0, 0], .min)
      var received = [0, 0, 0]
      var times: [String: Int64] = [:]
      for _ in 0..<300 {
        now += .random(in: 0...10, using: &random)
        if Bool.random(using: &random) {
          let lane = Int.random(in: 0..<3, using: &random)
          let time = now - .random(in: 0...(Bool.random(using: &random) ? 40 : 120), using: &random)
          sent[lane] += 1
          let name = "\(lane) \(sent[lane])"
          times[name] = time
          add(name, on: lane, at: time, arrived: now)
        }
        while let output = merge.next(at: moment(now)) {
          received[output.lane] += 1
          #expect(output.element == "\(output.lane) \(received[output.lane])", "\(random)")
          let time = times[output.element] ?? 0
          #expect(output.isLate == (time < latest), "\(random)")
          latest = max(latest, time)
        }
      }
      while merge.next(at: moment(now + 1000)).map({ received[$0.lane] += 1 }) != nil {}
      #expect(received == sent, "\(random)")
    }
  }

  private mutating func add(_ name: String, on lane: Int, at time: Int64, arrived: Int64) {
    merge.add(name, on: lane, at: moment(time), arrived: moment(arrived))
  }

  private mutating func next(_ now: Int64) -> String? {
    merge.next(at: moment(now)).map { $0.element + ($0.isLate ? " late" : "") }
  }

  private func moment(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: milliseconds * 1_000_000)
  }
}
