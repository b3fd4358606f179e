import Imaging
import TestSupport
import Testing

@testable import Capture

struct SubjectAreaMachineTests {
  /// A scene of a hundred cells, of which so many are white.
  private func scene(_ white: Int) -> LumaGrid {
    LumaGrid(cells: (0..<100).map { $0 < white ? 255 : 0 })
  }

  /// What looks at scenes with so many white cells report.
  private func changes(_ looks: [Int], threshold: Double = 0.3) -> [Double?] {
    var machine = SubjectAreaMachine(threshold: threshold)
    return looks.map { machine.take(scene($0)) }
  }

  @Test func `A scene that changes is reported once, and again when it changes again`() {
    #expect(
      changes([0, 0, 50, 50, 50, 0, 0, 0])
        == [nil, nil, 0.5, nil, nil, 0.5, nil, nil])
  }

  @Test func `Less than the threshold is no change, and the threshold is one`() {
    #expect(changes([0, 0, 29, 10, 29, 0, 30]) == [nil, nil, nil, nil, nil, nil, 0.3])
  }

  @Test func `A scene that changes slowly is reported when it has become another one`() {
    #expect(changes([0, 0, 10, 20, 29, 35, 40, 45]) == [nil, nil, nil, nil, nil, 0.35, nil, nil])
  }

  @Test func `While a scene moves all the time there is nothing to compare with`() {
    let restless = (0..<50).map { $0 % 2 == 0 ? 0 : 60 }
    #expect(changes(restless).allSatisfy { $0 == nil })
    #expect(changes(restless + [60, 60, 60, 0]).last == 0.6)
  }

  @Test func `A change that takes some looks is one change`() {
    #expect(changes([0, 0, 40, 80, 100, 100, 100]).compactMap(\.self) == [0.4])
  }

  @Test func `Noise below the threshold is never reported, whatever it is`() {
    var generator = SeededGenerator(for: "subject area")
    let looks = (0..<500).map { _ in 50 + Int.random(in: -14...14, using: &generator) }
    #expect(changes(looks).allSatisfy { $0 == nil })
  }
}
