import OperatingSystem
import Testing

@testable import CameraNode

struct ConnectionRatesTests {
  @Test func `A machine that connects too fast is slowed down alone`() {
    var rates = ConnectionRates()
    let start = MonotonicTime.now
    func taken(_ count: Int, from origin: String, after seconds: Int) -> Int {
      (0..<count).count { _ in
        rates.take(.frames, from: origin, at: start + .seconds(seconds))
      }
    }
    #expect(taken(300, from: "a", after: 0) == 64)
    #expect(taken(300, from: "a", after: 1) == 50)
    #expect(taken(300, from: "b", after: 1) == 64)
    let other = rates.take(.control, from: "a", at: start + .seconds(1))
    #expect(other)
    #expect(taken(300, from: "a", after: 100) == 64)
  }
}
