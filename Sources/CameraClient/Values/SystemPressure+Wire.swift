package import CameraProtocol

extension SystemPressure {
  package init(_ wire: WirePressure) {
    self.init(
      level: Level(wire.level),
      since: Timestamp(wire.since),
      cause: wire.cause.isEmpty ? nil : wire.cause,
      thinning: max(1, Int(wire.thinning))
    )
  }
}

extension SystemPressure.Level {
  fileprivate init(_ wire: WirePressureLevel) {
    self =
      switch wire {
      case .nominal: .nominal
      case .fair: .fair
      case .serious: .serious
      case .critical: .critical
      case .shutdown: .shutdown
      case .unspecified, .UNRECOGNIZED: .unknown
      }
  }
}
