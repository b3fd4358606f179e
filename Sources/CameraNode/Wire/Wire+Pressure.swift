import CameraProtocol
import OperatingSystem

extension WirePressure {
  init(_ pressure: PressureState, _ wallClock: WallClockSample) {
    self.init()
    level = WirePressureLevel(pressure.level)
    since = WireTimestamp(pressure.since, wallClock)
    cause = pressure.cause
    thinning = UInt32(pressure.level.thinning)
  }
}

extension WirePressureLevel {
  init(_ level: PressureLevel) {
    switch level {
    case .nominal: self = .nominal
    case .fair: self = .fair
    case .serious: self = .serious
    case .critical: self = .critical
    case .shutdown: self = .shutdown
    }
  }
}
