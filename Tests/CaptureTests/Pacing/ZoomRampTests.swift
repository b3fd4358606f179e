import Capture
import OperatingSystem
import Testing

import Glibc

struct ZoomRampTests {
  private func moment(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: 5_000_000_000 + milliseconds * 1_000_000)
  }

  @Test(arguments: [(1.0, 4.0, 1.0), (8, 1, 2), (1, 16, 64), (3, 3.1, 0.5)])
  func `Each frame has the zoom of its time, until the ramp is at its end`(
    start: Double, target: Double, rate: Double
  ) {
    var ramp = ZoomRamp(from: start, to: target, rate: rate)
    let length = abs(log2(target) - log2(start)) / rate
    for frame in Int64(0)..<100 {
      let zoom = ramp.zoom(at: moment(frame * 33))
      let seconds = Double(frame * 33) / 1000
      guard seconds < length else {
        #expect(zoom == target)
        continue
      }
      let expected = start * pow(2, target > start ? rate * seconds : -rate * seconds)
      #expect(abs(zoom - expected) < 1e-9)
    }
  }

  @Test func `A clock that goes back does not turn it round`() {
    var ramp = ZoomRamp(from: 1, to: 4, rate: 1)
    _ = ramp.zoom(at: moment(0))
    let before = ramp.zoom(at: moment(500))
    #expect(ramp.zoom(at: moment(400)) == before)
    #expect(ramp.zoom(at: moment(600)) > before)
  }

  @Test func `A ramp to where it is ends with its first frame`() {
    var ramp = ZoomRamp(from: 2, to: 2, rate: 1)
    #expect(ramp.zoom(at: moment(0)) == 2)
  }
}
