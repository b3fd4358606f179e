package import CameraProtocol

extension SystemPressure {
  package init(_ wire: WirePressure) {
    self.init(
      level: Level(wire.level),
      since: Timestamp(wire.since),
      cause: wire.cause.isEmpty ? nil : wire.cause,
      thinning: max(1, Int(wire.thinning)),
      waiting: wire.hasWaiting ? WaitingPrograms(wire.waiting) : nil
    )
  }
}

extension WaitingPrograms {
  fileprivate init(_ wire: WireWaitingPrograms) {
    self.init(
      cpu: wire.hasCpu ? wire.cpu.asShare : nil,
      memory: wire.hasMemory ? wire.memory.asShare : nil,
      io: wire.hasIo ? wire.io.asShare : nil
    )
  }
}

extension Double {
  /// A node may send any number.
  fileprivate var asShare: Double? { isFinite ? min(max(self, 0), 1) : nil }
}
