import OperatingSystem
import TestSupport
import Testing

struct StallMeterTests {
  private let begin = MonotonicTime(nanoseconds: 1_000_000_000)
  private let window = Duration.seconds(2)

  @Test(arguments: [
    (190, PressureLevel.nominal), (200, .fair), (600, .serious), (1200, .critical),
    (2000, .critical), (9000, .critical),
  ])
  func `What programs wait for memory in a window is a level`(
    _ milliseconds: Int, _ level: PressureLevel
  ) throws {
    let sensors = try SimulatedSensors()
    try sensors.set("memory", waited: .seconds(77))
    var meter = try #require(StallMeter(window: window, root: sensors.root))
    let first = meter.reading(at: begin)
    #expect(first == nil, "there is nothing to compare with")
    try sensors.set("memory", waited: .seconds(77) + .milliseconds(milliseconds))
    let reading = meter.reading(at: begin + window)
    #expect(reading?.level == level)
    #expect(reading?.words.contains("\(min(100, (milliseconds + 10) / 20)) % of the time") == true)
    let unchanged = meter.reading(at: begin + window * 2)
    #expect(unchanged?.level == .nominal)
  }

  /// A pause of 1 ms shortly after a window began is all of the time since then.
  @Test func `A part of a window says nothing, and stays part of its window`() throws {
    let sensors = try SimulatedSensors()
    try sensors.set("memory", waited: .zero)
    var meter = try #require(StallMeter(window: window, root: sensors.root))
    meter.begin(at: begin)
    try sensors.set("memory", waited: .milliseconds(1))
    let early = meter.reading(at: begin + .milliseconds(1))
    #expect(early == nil)
    try sensors.set("memory", waited: .milliseconds(600))
    let whole = meter.reading(at: begin + window)
    #expect(whole?.level == .serious, "30 %, with the wait of the beginning")
  }

  @Test func `A count that goes back counts as none`() throws {
    let sensors = try SimulatedSensors()
    try sensors.set("memory", waited: .seconds(5))
    var meter = try #require(StallMeter(window: window, root: sensors.root))
    meter.begin(at: begin)
    try sensors.set("memory", waited: .zero)
    let back = meter.reading(at: begin + window)
    #expect(back?.level == .nominal)
    let again = meter.reading(at: begin + window)
    #expect(again == nil, "no time has passed")
  }

  @Test func `A kernel that counts nothing has no meter`() throws {
    let folder = try TemporaryFolder()
    #expect(StallMeter(window: window, root: folder.path) == nil)
    try folder.write("full avg10=0.00\n", to: "proc/pressure/memory")
    #expect(StallMeter(window: window, root: folder.path) == nil)
  }

  @Test func `The count of the root group stands in for a hidden one`() throws {
    let folder = try TemporaryFolder()
    try folder.write("full avg10=0.00 total=7\n", to: "sys/fs/cgroup/memory.pressure")
    let meter = StallMeter(window: window, root: folder.path)
    #expect(meter?.path.hasSuffix("memory.pressure") == true)
  }

  @Test func `The kernel's own share of ten seconds is that of some programs for the processor`()
    throws
  {
    let folder = try TemporaryFolder()
    let text = "some avg10=12.50 avg60=1.00 total=7\nfull avg10=3.00 avg60=0.00 total=1\n"
    for resource in StallResource.allCases {
      #expect(resource.recentShare(root: folder.path) == nil)
      try folder.write(text, to: "proc/pressure/\(resource.rawValue)")
    }
    #expect(StallResource.cpu.recentShare(root: folder.path) == 0.125)
    #expect(StallResource.memory.recentShare(root: folder.path) == 0.03)
    #expect(StallResource.io.recentShare(root: folder.path) == 0.03)
    try folder.write("some avg10=nan\nfull avg10=900\n", to: "proc/pressure/cpu")
    try folder.write("full avg10=900\n", to: "proc/pressure/io")
    #expect(StallResource.cpu.recentShare(root: folder.path) == nil)
    #expect(StallResource.io.recentShare(root: folder.path) == 1)
  }
}
