import CameraClient
import OperatingSystem
import TestSupport
import Testing

@testable import CameraRig

struct OwnWallClockTests {
  @Test(
    arguments: [
      ([], 1200, nil, nil, nil), (["chronyd"], 1200, nil, 1_200_000, .chronyd),
      (["ntpd"], 1200, nil, 1_200_000, .ntpd), (["chronyd"], -1, nil, nil, nil),
      (["systemd-timesyn"], 500, nil, nil, nil), (["chronyd", "ptp4l"], 500, nil, nil, nil),
      // A person knows better.
      (["systemd-timesyn"], 500, .milliseconds(3), 3_000_000, .operator),
      (["chronyd"], -1, .milliseconds(3), 3_000_000, .operator),
    ] as [([String], Int64, Duration?, Int64?, ClockReading.WallSource?)])
  func `The error is known where the clock's keeper computes it or a person states it`(
    running: [String], kernel: Int64, stated: Duration?, bound: Int64?,
    source: ClockReading.WallSource?
  ) throws {
    let folder = try TemporaryFolder()
    try start(running, in: folder)
    let own = OwnWallClock(statedError: stated, root: folder.path) { kernel }
    let clock = own.now()
    #expect(own.source == source)
    guard let bound else { return #expect(clock == nil) }
    // The two clocks are not read at the same moment.
    let least = Duration.nanoseconds(bound)
    #expect(try #require(clock).error >= least)
  }

  @Test func `After somebody wrote the kernel's bound it counts only with its keeper`() throws {
    let folder = try TemporaryFolder()
    try start(["chronyd"], in: folder)
    let kernel = Kernel(1000)
    let own = OwnWallClock(statedError: nil, root: folder.path) { kernel.bound }
    #expect(own.now() != nil)
    // It grows, and nobody looks.
    try start(["chronyd", "systemd-timesyn"], in: folder)
    kernel.bound = 1500
    #expect(own.now() != nil)
    // Another program has taken the clock over.
    kernel.bound = 1
    #expect(own.now() == nil && own.source == nil)
  }

  @Test func `It is the wall clock of this machine`() throws {
    let own = try OwnWallClock(statedError: .milliseconds(1))
    let clock = try #require(own.now())
    let (wall, moment) = (WallInstant.now, MonotonicInstant.now)
    let difference =
      Duration.nanoseconds(wall.nanoseconds - moment.nanoseconds) - clock.offset
    // Unless somebody sets the clock in between.
    #expect(difference > .milliseconds(-500) && difference < .milliseconds(500))
  }

  @Test(arguments: [Duration.zero, .milliseconds(-1)])
  func `Nobody can state that a clock is exact`(error: Duration) {
    let refusal = #expect(throws: CameraBusError.self) { try OwnWallClock(statedError: error) }
    #expect(refusal?.code == .invalidArgument && refusal?.field == "statedError")
  }

  /// Makes the entries of running programs in a copy of /proc.
  private func start(_ programs: [String], in folder: TemporaryFolder) throws {
    for (id, name) in programs.enumerated() {
      try folder.write("\(name)\n", to: "proc/\(id + 1)/comm")
      try folder.write("/usr/sbin/\(name)\0", to: "proc/\(id + 1)/cmdline")
    }
  }
}

/// The kernel's bound of the clock's error, in microseconds.
private final class Kernel: Sendable {
  private let state: Mutex<Int64>

  init(_ bound: Int64) { state = Mutex(bound) }

  var bound: Int64 {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
