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
