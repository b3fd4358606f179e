import Imaging
import OperatingSystem

extension PhotoFacts {
  /// Everything is known.
  static var example: PhotoFacts {
    var facts = PhotoFacts()
    facts.make = "Maker"
    facts.model = "Model 1"
    facts.camera = "front <left>"
    facts.software = "CameraBus 1.2.3"
    facts.description = "Straße & Brücke"
    facts.comment = "by the third robot"
    // 2026-05-04T10:11:12.345678901Z.
    facts.moment = Moment(nanoseconds: 1_777_889_472_345_678_901, utcOffset: -210)
    facts.timing = .example
    facts.exposureTime = 10_000_000
    facts.exposureBias = -1.33
    facts.iso = 400
    facts.gain = 0.25
    facts.focalLength = 4.3
    facts.fNumber = 1.8
    facts.view = AngleOfView(
      size: ImageSize(width: 1920, height: 1080), horizontal: 1500, vertical: 1505.5)
    facts.kelvin = 5600
    facts.zoom = 1.5
    facts.focus = 0.75
    facts.flashFired = true
    facts.orientation = Orientation(.quarter)
    facts.position = GeographicPosition(
      latitude: -33.8567844, longitude: 151.2152967, altitude: -3.25, source: .manual)
    facts.uniqueID = Array(0..<16)
    facts.requestID = "00112233"
    facts.burst = Burst(index: 2, count: 5)
    facts.mergedFrameCount = 4
    return facts
  }
}

extension PhotoFacts.Timing {
  static var example: PhotoFacts.Timing {
    var timing = PhotoFacts.Timing()
    timing.monotonicTime = MonotonicTime(nanoseconds: 123_456_789_012)
    timing.epoch = [0xfe, 0xdc, 0xba, 0x98]
    timing.frameNumber = .max
    timing.timestampMarks = "the end of the frame"
    timing.earliestStart = MonotonicTime(nanoseconds: 123_400_000_000)
    timing.latestEnd = MonotonicTime(nanoseconds: 123_460_000_000)
    timing.wallClockError = 1500
    timing.clockSource = "NTP"
    timing.deviceTime = MonotonicTime(nanoseconds: 123_455_000_000)
    timing.deviceClock = "USB frames"
    return timing
  }
}
