import Capture
import OperatingSystem
import TestSupport
import Testing

@testable import CaptureV4L2

/// `CAMERABUS_SEED` repeats a run.
@Suite struct DeviceClockTests {
  @Test("The capture always lies within the bound, in 10,000 histories of cameras that lie too")
  func bounds() {
    var generator = SeededGenerator(for: "device clocks")
    var answers: [SimulatedCamera.Numbers: Int] = [:]
    var frames = 0
    for history in 0..<10_000 {
      let numbers = SimulatedCamera.Numbers.allCases[
        history % SimulatedCamera.Numbers.allCases.count]
      var camera = SimulatedCamera(numbers, &generator)
      var clock = DeviceClock()
      let count = Int(Double.random(in: 2.5...6, using: &generator) / camera.interval)
      let turn = Int.random(in: 0..<2 * count, using: &generator)
      for index in 0..<count {
        if index == turn { if turn % 2 == 0 { camera.jump() } else { camera.pause(3) } }
        let frame = camera.next()
        frames += 1
        clock.add(frame.reading)
        guard let time = clock.time(of: frame.captured, before: frame.firstArrival) else {
          continue
        }
        answers[numbers, default: 0] += 1
        let distance = abs(Double(time.time.nanoseconds) - frame.truth)
        // A tick of the slowest clock, which the capture's own rounding may take.
        if distance > Double(time.error) + 11_200 {
          Issue.record("history \(history), frame \(index): \(distance) ns off, not \(time)")
        }
        if time.basis == .usbFrames, numbers != .bus {
          Issue.record("history \(history): the numbers of \(numbers) are believed")
        }
      }
    }
    // The test shows something only if there are answers, from each kind of camera.
    print("device clocks: \(answers) of \(frames) frames")
    for numbers in SimulatedCamera.Numbers.allCases {
      #expect(answers[numbers, default: 0] > 1000, "\(numbers)")
    }
  }

  @Test("With the bus's numbers the error is that of a USB frame, by arrival that of slow packets")
  func errors() {
    var generator = SeededGenerator(for: "errors of device clocks")
    for (numbers, basis, limit) in [
      (SimulatedCamera.Numbers.bus, DeviceTime.Basis.usbFrames, 1_500_000 as Int64),
      (.noHost, .arrival, 25_000_000),
    ] {
      var camera = SimulatedCamera(numbers, &generator)
      var clock = DeviceClock()
      var last: DeviceTime?
      for _ in 0..<6000 {
        let frame = camera.next()
        clock.add(frame.reading)
        last = clock.time(of: frame.captured, before: frame.firstArrival) ?? last
      }
      #expect(last?.basis == basis)
      #expect((1...limit).contains(last?.error ?? 0), "\(String(describing: last))")
    }
  }

  @Test("It says nothing before it knows enough, nor right after a jump")
  func silence() {
    var generator = SeededGenerator(for: "silence of device clocks")
    var camera = SimulatedCamera(.bus, &generator)
    var clock = DeviceClock()
    func next() -> DeviceTime? {
      let frame = camera.next()
      clock.add(frame.reading)
      return clock.time(of: frame.captured, before: frame.firstArrival)
    }
    for _ in 0..<DeviceClock.window - 1 { #expect(next() == nil) }
    var answers = 0
    for _ in 0..<400 where next() != nil { answers += 1 }
    #expect(answers > 200)
    camera.jump()
    for _ in 0..<DeviceClock.window - 1 { #expect(next() == nil) }
  }

  @Test("Readings of any numbers neither trap nor grow the history")
  func anything() {
    var generator = SeededGenerator(for: "any readings")
    var clock = DeviceClock()
    for _ in 0..<20_000 {
      let edge = [0, 1, .max, .min, Int64.random(in: 0...1 << 40, using: &generator)]
      let reading = UVCMetadata.Reading(
        ticks: .random(in: 0...(.max), using: &generator),
        deviceFrame: .random(in: 0...2047, using: &generator),
        hostFrame: .random(in: 0...2047, using: &generator),
        hostTime: edge.randomElement(using: &generator) ?? 0)
      clock.add(reading)
      #expect(clock.time(of: reading.ticks, before: reading.hostTime) == nil)
    }
  }
}
