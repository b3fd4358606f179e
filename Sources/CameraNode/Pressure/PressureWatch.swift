import Capture
import EventLoop
import OperatingSystem

/// Watches how hard the machine is pressed: by its heat, by programs that wait for memory, and by
/// the frames that the node itself is too late for. A busy processor or disk alone presses nobody.
///
/// The kernel tells when programs begin to wait. It tells nobody but root about temperatures, and
/// nobody that programs wait less again. So the watch looks by itself, every two seconds: always
/// on a machine with thermal zones, on others only from such an event, or a late frame, until the
/// pressure is over. An event raises no level: the window that begins with it does, if it shows the
/// same.
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

  private static let falling = "it is falling; its cause was: "

  private let loop: EventLoop
  private let root: String
  private let pace: Pace
  private let lateness: FrameLateness
  private let onChange: @Sendable (PressureState) -> Void
  private var zones: [ThermalZone] = []
  /// What each zone has said last, and when.
  private var answers: [Int: (reading: PressureReading, time: MonotonicTime)] = [:]
  private var memory: StallMeter?
  private var alarm: StallAlarm?
  private var lateFrames: LatenessMeter
  private var ladder: PressureLadder
  private var cause = ""
  private var nextLook: LoopTimer?

  /// - Parameters:
  ///   - loop: A thread that may wait for sensors.
  ///   - root: Stands in front of /sys and /proc.
  ///   - lateness: What the node itself suffers.
  ///   - onChange: Called on the loop at the start and when the level has changed.
  init(
    on loop: EventLoop, root: String, pace: Pace, lateness: FrameLateness,
    _ onChange: @escaping @Sendable (PressureState) -> Void
  ) {
    self.loop = loop
    self.root = root
    self.pace = pace
    self.lateness = lateness
    self.onChange = onChange
    lateFrames = LatenessMeter(window: pace.interval)
    ladder = PressureLadder(hold: pace.hold)
  }

  func start() {
    zones = ThermalZone.all(root: root)
    memory = StallMeter(window: pace.interval, root: root)
    if root.isEmpty, let memory {
      alarm = StallAlarm(memory, on: loop) { [weak self] in self?.wake() }
    }
    begin()
    tell()
    look()
  }

  func close() {
    alarm?.cancel()
    nextLook?.cancel()
  }

  /// Whether the pressure may rise without an event.
  private var mustLook: Bool { !zones.isEmpty || (memory != nil && alarm == nil) }

  /// Whether a look is planned.
  var isLooking: Bool { nextLook != nil }

  private func begin() {
    let now = MonotonicTime.now
    memory?.begin(at: now)
    lateFrames.begin(lateness.counts, at: now)
  }

  /// Something says that the pressure may rise: begins a window.
  private func wake() {
    guard nextLook == nil else { return }
    begin()
    scheduleLook()
  }

  private func scheduleLook() {
    nextLook = loop.schedule(at: .now + pace.interval) { [weak self] in self?.look() }
  }

  private func look() {
    nextLook = nil
    let now = MonotonicTime.now
    var readings = zones.indices.compactMap { reading(ofZone: $0, at: now) }
    if let reading = memory?.reading(at: now) { readings.append(reading) }
    if let reading = lateFrames.reading(lateness.counts, at: now, above: ladder.level) {
      readings.append(reading)
    }
    take(readings.max { $0.level < $1.level } ?? PressureReading(.nominal, ""))
    if mustLook || ladder.level > .nominal {
      scheduleLook()
    } else {
      lateness.onNext { [weak self, loop] in loop.perform { [weak self] in self?.wake() } }
    }
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
  }

  private func tell() {
    let level = ladder.level
    onChange(PressureState(level: level, since: .now, cause: level == .nominal ? "" : cause))
  }
}
