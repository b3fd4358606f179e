import OperatingSystem
import TestSupport
import Testing

struct ThermalZoneTests {
  @Test(arguments: [
    (79.9, PressureLevel.nominal), (80, .fair), (84.9, .fair), (85, .serious), (94.9, .serious),
    (95, .critical), (99.9, .critical), (100, .shutdown), (200, .shutdown),
  ])
  func `A level begins below the temperature at which the kernel acts`(
    _ celsius: Double, _ level: PressureLevel
  ) {
    #expect(ThermalZone.Trips(passive: 85, critical: 105).level(at: celsius) == level)
  }

  @Test(arguments: [
    (84.9, PressureLevel.nominal), (85, .fair), (90, .serious), (95, .critical), (100, .shutdown),
  ])
  func `The critical temperature stands for the others`(
    _ celsius: Double, _ level: PressureLevel
  ) {
    #expect(ThermalZone.Trips(critical: 105).level(at: celsius) == level)
  }

  @Test func `The kernel's own warning counts, and without a critical one nothing is shut down`() {
    #expect(ThermalZone.Trips(hot: 70, critical: 105).level(at: 70) == .critical)
    #expect(ThermalZone.Trips(passive: 60).level(at: 200) == .serious)
  }

  @Test func `Zones are read with their trip points`() throws {
    let sensors = try SimulatedSensors(trips: [
      "active": 30, "passive": 90, "passive": 85, "critical": 105, "hot": 0,
    ])
    let zone = try #require(ThermalZone.all(root: sensors.root).first)
    #expect(zone.trips == ThermalZone.Trips(passive: 85, critical: 105))
    try sensors.set(celsius: 86.25)
    #expect(zone.reading() == PressureReading(.serious, "cpu-thermal is at 86.3 °C"))
    // Sensors that fail give such numbers.
    try sensors.set(celsius: -273.2)
    #expect(zone.reading() == nil)
  }

  @Test func `A zone without trip points, and a machine without zones, measure nothing`() throws {
    #expect(try ThermalZone.all(root: SimulatedSensors(trips: [:]).root).isEmpty)
    #expect(try ThermalZone.all(root: TemporaryFolder().path).isEmpty)
  }
}
