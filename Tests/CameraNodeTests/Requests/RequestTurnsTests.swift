import CameraProtocol
import Testing

@testable import CameraNode

struct RequestTurnsTests {
  private var turns = RequestTurns()
  private let ids = (0..<400).map { _ in RequestID.random() }

  /// The places in `ids` of the requests that are served next.
  private mutating func next(_ count: Int, where isReady: (Int) -> Bool = { _ in true }) -> [Int] {
    (0..<count).compactMap { _ in
      let next = turns.next { id in ids.firstIndex(of: id).map(isReady) ?? false }
      return next.flatMap(ids.firstIndex)
    }
  }

  @Test mutating func `Clients take turns, and the requests of each keep their order`() {
    for index in 0..<4 { turns.add(ids[index], of: [1], cost: 1032) }
    for index in 4..<6 { turns.add(ids[index], of: [2], cost: 1032) }
    #expect(next(9) == [0, 4, 1, 5, 2, 3])
  }

  @Test mutating func `A short request does not wait for the long ones of others`() {
    for index in 0..<200 {
      turns.add(ids[index], of: .connection([UInt8(index % 50)]), cost: 1032)
    }
    _ = next(120)
    turns.add(ids[200], of: [200], cost: 33)
    #expect(next(10).contains(200))
  }

  @Test mutating func `A long request waits for no more short ones than are its share`() {
    turns.add(ids[0], of: [0], cost: 1032)
    // New clients come all the time, each with a short request.
    var served: [Int] = []
    for index in 1..<400 where !served.contains(0) {
      turns.add(ids[index], of: .connection([UInt8(index % 200 + 1)]), cost: 33)
      served += next(1)
    }
    #expect(served.last == 0)
    #expect(served.count < 100)
  }

  @Test mutating func `A request that is not ready lets others pass and keeps its turn`() {
    turns.add(ids[0], of: [1], cost: 33)
    turns.add(ids[1], of: [2], cost: 1032)
    turns.add(ids[2], of: [2], cost: 1032)
    #expect(next(1) { $0 != 0 } == [1])
    #expect(next(1) { _ in false } == [])
    #expect(next(2) == [0, 2])
  }

  @Test mutating func `A request that was removed costs its client nothing more`() {
    turns.add(ids[0], of: [1], cost: 1032)
    turns.remove(ids[0])
    turns.remove(ids[0])
    turns.add(ids[1], of: [1], cost: 1032)
    turns.add(ids[2], of: [2], cost: 1032)
    #expect(next(3) == [1, 2])
  }
}
