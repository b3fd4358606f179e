import OperatingSystem
import TestSupport
import Testing

struct StallMeterTests {
  private let begin = MonotonicTime(nanoseconds: 1_000_000_000)

  @Test(arguments: [
    ("cpu", 1590, PressureLevel.nominal), ("cpu", 1600, .fair), ("cpu", 2000, .fair),
    ("io", 1600, .fair), ("io", 9000, .fair), ("memory", 190, .nominal), ("memory", 200, .fair),
    ("memory", 600, .serious), ("memory", 1200, .critical), ("memory", 2000, .critical),
  ])
  func `What programs wait for in two seconds is a level`(
    _ name: String, _ milliseconds: Int, _ level: PressureLevel
  ) throws {
    let sensors = try SimulatedSensors()
    let resource = try #require(StallMeter.Resource(rawValue: name))
    try sensors.set(name, waited: .seconds(77))
    var meter = try #require(StallMeter(resource, root: sensors.root))
    let first = meter.reading(at: begin)
    #expect(first == nil, "there is nothing to compare with")
    try sensors.set(name, waited: .seconds(77) + .milliseconds(milliseconds))
    let reading = meter.reading(at: begin + .seconds(2))
    #expect(reading?.level == level)
    #expect(reading?.words.contains("\(min(100, (milliseconds + 10) / 20)) % of the time") == true)
    let unchanged = meter.reading(at: begin + .seconds(4))
    #expect(unchanged?.level == .nominal)
  }

  @Test func `A count that goes back counts as none`() throws {
    let sensors = try SimulatedSensors()
    try sensors.set("cpu", waited: .seconds(5))
    var meter = try #require(StallMeter(.cpu, root: sensors.root))
    meter.begin(at: begin)
    try sensors.set("cpu", waited: .zero)
    let back = meter.reading(at: begin + .seconds(2))
    #expect(back?.level == .nominal)
    let again = meter.reading(at: begin + .seconds(2))
    #expect(again == nil, "no time has passed")
  }

  @Test func `A kernel that counts nothing has no meter`() throws {
    let folder = try TemporaryFolder()
    #expect(StallMeter(.cpu, root: folder.path) == nil)
    try folder.write("some avg10=0.00\n", to: "proc/pressure/cpu")
    #expect(StallMeter(.cpu, root: folder.path) == nil)
  }

  @Test func `The count of the root group stands in for a hidden one`() throws {
    let folder = try TemporaryFolder()
    try folder.write("full avg10=0.00 total=7\n", to: "sys/fs/cgroup/memory.pressure")
    #expect(StallMeter(.memory, root: folder.path)?.path.hasSuffix("memory.pressure") == true)
  }
}
