import EventLoop
import OperatingSystem

/// Watches how hard the machine is pressed.
///
/// The kernel tells when programs begin to wait. It tells nobody but root about temperatures, and
/// nobody that programs wait less again. So the watch looks by itself, every two seconds: always
/// on a machine with thermal zones, on others only from such an event until the pressure is over.
// @unchecked: used on its loop only.
final class PressureWatch: @unchecked Sendable {
  struct Pace: Sendable {
    /// Between two looks.
    var interval = Duration.seconds(2)
    /// How long less must be measured for a level to end.
    var hold = Duration.seconds(6)
    /// How long a sensor that does not answer any more is taken to be as hot as it was.
    var trust = Duration.seconds(60)
  }

  private static let falling = "it falls since: "

  private let loop: EventLoop
  private let root: String
  private let pace: Pace
  private let onChange: @Sendable (PressureState) -> Void
  private var zones: [ThermalZone] = []
  /// What each zone has said last, and when.
  private var answers: [Int: (reading: PressureReading, time: MonotonicTime)] = [:]
  private var meters: [StallMeter] = []
  private var alarms: [StallAlarm] = []
  private var ladder: PressureLadder
  private var cause = ""
  private var nextLook: LoopTimer?

  /// - Parameters:
  ///   - loop: a thread that may wait for sensors.
  ///   - root: stands in front of /sys and /proc.
  ///   - onChange: called on the loop at the start and when the level has changed.
  init(
    on loop: EventLoop, root: String, pace: Pace,
    _ onChange: @escaping @Sendable (PressureState) -> Void
  ) {
    self.loop = loop
    self.root = root
    self.pace = pace
    self.onChange = onChange
    ladder = PressureLadder(hold: pace.hold)
  }

  func start() {
    zones = ThermalZone.all(root: root)
    meters = StallMeter.Resource.allCases.compactMap { StallMeter($0, root: root) }
    if root.isEmpty {
      alarms = meters.compactMap { meter in
        StallAlarm(meter, on: loop) { [weak self] in self?.stalls(for: meter.resource) }
      }
    }
    begin()
    tell()
    look()
  }

  func close() {
    for alarm in alarms { alarm.cancel() }
    nextLook?.cancel()
  }

  /// Whether the pressure may rise without an event of the kernel.
  private var mustLook: Bool { !zones.isEmpty || alarms.count < meters.count }

  private func begin() {
    for index in meters.indices { meters[index].begin(at: .now) }
  }

  /// The kernel says that programs wait for a resource.
  private func stalls(for resource: StallMeter.Resource) {
    if nextLook == nil { begin() }
    let share = resource.firstShare
    take(PressureReading(max(ladder.level, resource.level(at: share)), resource.words(share)))
  }

  private func look() {
    nextLook = nil
    let now = MonotonicTime.now
    var readings = zones.indices.compactMap { reading(ofZone: $0, at: now) }
    for index in meters.indices {
      if let reading = meters[index].reading(at: now) { readings.append(reading) }
    }
    take(readings.max { $0.level < $1.level } ?? PressureReading(.nominal, ""))
  }

  private func reading(ofZone index: Int, at now: MonotonicTime) -> PressureReading? {
    if let reading = zones[index].reading() {
      answers[index] = (reading, now)
      return reading
    }
    // The machine has not become cool because its thermometer is lost.
    guard let last = answers[index], now - last.time < pace.trust else { return nil }
    return PressureReading(last.reading.level, "\(last.reading.words) and does not answer now")
  }

  private func take(_ reading: PressureReading) {
    let before = ladder.level
    if ladder.take(reading.level, at: .now) {
      if ladder.level > before || reading.level == ladder.level {
        cause = reading.words
      } else if !cause.hasPrefix(Self.falling) {
        cause = Self.falling + cause
      }
      tell()
    }
    guard nextLook == nil, mustLook || ladder.level > .nominal else { return }
    nextLook = loop.schedule(at: .now + pace.interval) { [weak self] in self?.look() }
  }

  private func tell() {
    let level = ladder.level
    onChange(PressureState(level: level, since: .now, cause: level == .nominal ? "" : cause))
  }
}
