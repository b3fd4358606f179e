import Capture
import OperatingSystem

/// Finds the moments of a camera's clock on the host's, as intervals that contain the truth. Pure.
///
/// Each frame gives one reading of both clocks. Assumptions are needed, because nothing in
/// the camera's messages proves them:
/// - No reading took longer than `slowest` from the camera to the driver, and of `window` readings
///   the fastest at most `fastest`.
/// - A camera that counts USB frames counts those of the bus, if its number is at most ten behind
///   the host's. `uvcvideo` assumes the same (uvc_video_clock_decode).
/// - The rate of the camera's clock, which may be any, changes by at most `instability`.
///
/// Readings that contradict one another start it anew. A jump of the camera's clock by less than a
/// second can look like slow packets, and then it is found late or never.
struct DeviceClock {
  static let slowest = 250_000_000.0
  static let fastest = 20_000_000.0
  static let window = 8
  private static let instability = 100e-6
  /// Without a reading for this long, the camera's counter may have wrapped around unseen.
  private static let longestGap: Int64 = 2_000_000_000
  /// A capture is no further than this from its frame's reading.
  private static let longestCapture = 2_000_000_000.0
  private static let shortestHistory = 2_000_000_000.0
  /// A larger error says nothing that the frame's timestamp does not say.
  private static let largestError = 50_000_000.0

  private struct Entry {
    /// Unwrapped, from 0 at the first reading.
    var ticks: Int64
    /// The driver's time, nanoseconds since the first reading.
    var arrival: Double
    /// The bounds of the reading's moment by the numbers of USB frames, if these are trusted.
    var frames: ClosedRange<Double>?
  }

  private var first: UVCMetadata.Reading?
  private var last: UVCMetadata.Reading?
  private var anchor: Entry?
  private var entries: [Entry] = []
  /// Nanoseconds of a tick: the camera's clock has 1 kHz to 1 GHz.
  private var tick = 1.0...1e6
  private var frames = USBFrames()
  /// The fewest USB frames that a packet was on its way.
  private var leastBehind = Int.max

  init() {
    entries.reserveCapacity(Self.window + 1)
  }

  /// Takes the next frame's reading.
  mutating func add(_ reading: UVCMetadata.Reading) {
    guard let first, let last, let newest = entries.last else { return begin(reading) }
    let step = Int32(bitPattern: reading.ticks &- last.ticks)
    let (pause, isTooLarge) = reading.hostTime.subtractingReportingOverflow(last.hostTime)
    guard !isTooLarge, step > 0, pause > 0, pause < Self.longestGap else { return begin(reading) }
    if frames.isTrusted, !frames.agree(from: last, to: reading) { return distrust(reading) }
    let arrival = Double(reading.hostTime - first.hostTime)
    let entry = entry(reading, ticks: newest.ticks + Int64(step), arrival: arrival)
    guard (entry.frames != nil) == frames.isTrusted else { return distrust(reading) }
    if entries.count == Self.window { entries.removeFirst() }
    entries.append(entry)
    self.last = reading
    if !narrow(by: entry) { distrust(reading) }
  }

  /// When the camera's clock had this value.
  /// - Parameter arrival: When the frame's first packet arrived: the capture began before.
  /// - Returns: Nil while too little is known.
  mutating func time(of captured: UInt32, before arrival: Int64) -> DeviceTime? {
    guard let first, let last, let anchor, let newest = entries.last,
      entries.count == Self.window, newest.arrival - anchor.arrival >= Self.shortestHistory
    else { return nil }
    let distance = Int64(Int32(bitPattern: captured &- last.ticks))
    guard Double(abs(distance)) * tick.upperBound <= Self.longestCapture else { return nil }
    guard !frames.isTrusted || leastBehind <= USBFrames.mostFrames,
      let range = range(of: newest.ticks + distance)
    else {
      distrust(last)
      return nil
    }
    let latest = min(range.upperBound, Double(arrival &- first.hostTime))
    let error = (latest - range.lowerBound) / 2
    guard error >= 0, error <= Self.largestError else { return nil }
    return DeviceTime(
      ticks: captured,
      time: MonotonicTime(
        nanoseconds: first.hostTime &+ Int64((range.lowerBound + error).rounded())),
      // A nanosecond for each rounding.
      error: Int64(error.rounded(.up)) + 2, basis: frames.isTrusted ? .usbFrames : .arrival)
  }

  // MARK: Intervals

  private mutating func entry(
    _ reading: UVCMetadata.Reading, ticks: Int64, arrival: Double
  ) -> Entry {
    let behind = frames.behind(reading)
    if let behind { leastBehind = min(leastBehind, behind) }
    return Entry(
      ticks: ticks, arrival: arrival,
      frames: behind.map { frames.bounds(behind: $0, arrival: arrival) })
  }

  /// The bounds of a moment of the camera's clock, by all readings of the window.
  private func range(of ticks: Int64) -> ClosedRange<Double>? {
    var (earliest, latest) = (frames.isTrusted ? -Double.infinity : .infinity, Double.infinity)
    for entry in entries {
      let distance = Double(ticks - entry.ticks)
      let ends = (distance * tick.lowerBound, distance * tick.upperBound)
      let (least, most) = (min(ends.0, ends.1), max(ends.0, ends.1))
      latest = min(latest, entry.arrival + most)
      if let bounds = entry.frames {
        earliest = max(earliest, bounds.lowerBound + least)
        latest = min(latest, bounds.upperBound + most)
      } else {
        earliest = min(earliest, entry.arrival + least - Self.fastest)
      }
    }
    return earliest <= latest ? earliest...latest : nil
  }

  /// Bounds the length of a tick by the whole history: the longer it is, the less a slow packet
  /// counts.
  private mutating func narrow(by entry: Entry) -> Bool {
    guard let anchor else { return false }
    let (begin, end) = (moment(of: anchor), moment(of: entry))
    let ticks = Double(entry.ticks - anchor.ticks)
    let least = (end.lowerBound - begin.upperBound) / ticks * (1 - Self.instability)
    let most = (end.upperBound - begin.lowerBound) / ticks * (1 + Self.instability)
    let (lower, upper) = (max(tick.lowerBound, least), min(tick.upperBound, most))
    guard lower <= upper else { return false }
    tick = lower...upper
    return true
  }

  private func moment(of entry: Entry) -> ClosedRange<Double> {
    entry.frames ?? entry.arrival - Self.slowest...entry.arrival
  }

  // MARK: Beginning anew

  private mutating func begin(_ reading: UVCMetadata.Reading) {
    entries.removeAll(keepingCapacity: true)
    tick = 1...1e6
    leastBehind = .max
    let entry = entry(reading, ticks: 0, arrival: 0)
    if entry.frames == nil { frames.isTrusted = false }
    (first, last, anchor) = (reading, reading, entry)
    entries.append(entry)
  }

  /// The readings contradict one another: the clock jumped, or the numbers of USB frames are wrong.
  private mutating func distrust(_ reading: UVCMetadata.Reading) {
    frames.isTrusted = false
    begin(reading)
  }
}
